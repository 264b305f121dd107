from tightrope.program.flow.call_graph import build_call_graph, reachable_functions
from tightrope.program.flow.control_flow import EdgeKind, flow_of, program_flow
from tightrope.program.flow.graph import from_mask
from tightrope.program.ir.read_ir import read_program

PROGRAM = read_program("""
@table = global [1 x ptr] [ptr @in_table]
@nickname = alias void (), ptr @leaf

define void @root(ptr %f, i1 %c) {
entry:
  br i1 %c, label %loop, label %exit
loop:
  call void @middle(i32 1)
  br i1 %c, label %loop, label %exit
exit:
  ret void
dead:
  call void @nickname()
  br label %exit
}
define void @middle(i32 %x) {
start:
  %p = load ptr, ptr @table
  call void %p(i32 %x)
  call void asm "", ""()
  br label %end
end:
  ret void
}
define void @in_table(i32 %x) {
only:
  ret void
}
define void @other_type(i64 %x) {
only:
  ret void
}
define void @leaf() {
only:
  call void @sort(ptr @compare)
  unreachable
}
define i32 @compare() {
only:
  %x = select i1 true, ptr @other_type, ptr null
  ret i32 0
}
define i32 @no_prototype(ptr %f) {
only:
  %x = call i32 (...) %f(i32 1)
  ret i32 %x
}
define void @alone() {
only:
  ret void
}
declare void @sort(ptr)
""")
ROOT = flow_of(PROGRAM.functions["@root"])


def test_neighbours():
    assert ROOT.successors("entry") == ("loop", "exit")
    assert ROOT.predecessors("exit") == ("entry", "loop", "dead")
    assert ROOT.reachable() == {"entry", "loop", "exit"}
    assert set(ROOT.reverse_postorder()) == ROOT.reachable()


def test_dominators_by_name():
    assert ROOT.immediate_dominators() == {"entry": None, "loop": "entry", "exit": "entry"}
    assert ROOT.dominators()[ROOT.numbers["dead"]] == 0


def test_loops_by_number():
    [loop] = ROOT.loops()
    assert ROOT.blocks[loop.header] == "loop"


def test_distances_by_name():
    assert ROOT.distances_to(["exit"]) == {"entry": 1, "loop": 1, "exit": 0, "dead": 1}
    assert ROOT.distances_to(["loop"]) == {"entry": 1, "loop": 0}


def test_who_calls_whom():
    graph = build_call_graph(PROGRAM)
    assert graph.address_taken == {"@in_table", "@compare", "@other_type"}
    assert graph.callees["@root"] == ("@middle", "@leaf")
    assert graph.callees["@middle"] == ("@in_table",)  # of the table's type only
    assert graph.callees["@leaf"] == ("@sort", "@compare")  # handed to a function without a body
    assert graph.callees["@no_prototype"] == ("@in_table", "@other_type", "@compare")
    assert graph.callees_of_block["@root", "dead"] == ("@leaf",)
    assert ("@root", "entry") not in graph.callees_of_block


def test_reachable_functions_nearest_first():
    assert reachable_functions(PROGRAM, "@root") == ("@root", "@middle", "@leaf", "@in_table", "@sort", "@compare")
    assert reachable_functions(PROGRAM, "@alone") == ("@alone",)


def test_the_whole_graph():
    flow = program_flow(PROGRAM, reachable_functions(PROGRAM, "@root"))
    named = {(flow.nodes[e.source], flow.nodes[e.target], e.kind) for e in flow.edges}
    assert (("@root", "loop"), ("@middle", "start"), EdgeKind.CALL) in named
    assert (("@middle", "end"), ("@root", "loop"), EdgeKind.RETURN) in named
    assert (("@root", "loop"), ("@root", "loop"), EdgeKind.FLOW) in named
    assert not any(source == ("@leaf", "only") and kind is EdgeKind.RETURN for source, _, kind in named)


def test_what_lies_below_a_block_excludes_its_callers():
    flow = program_flow(PROGRAM, ["@root", "@middle", "@in_table"])

    def names(masks, node):
        return {flow.nodes[number] for number in from_mask(masks[flow.numbers[node]])}

    assert names(flow.below(), ("@middle", "start")) == {
        ("@middle", "start"),
        ("@middle", "end"),
        ("@in_table", "only"),
    }
    assert ("@root", "exit") in names(flow.anywhere(), ("@in_table", "only"))
    assert ("@root", "entry") not in names(flow.anywhere(), ("@in_table", "only"))


def test_steps_through_calls():
    flow = program_flow(PROGRAM, ["@root", "@middle"])
    steps = flow.distances_to(flow.mask([("@middle", "end")]))
    assert steps[flow.numbers["@root", "entry"]] == 3
    assert steps[flow.numbers["@root", "exit"]] is None
