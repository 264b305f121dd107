// function: pump
// Labels over several points of one call.
#include <tightrope.h>
int pump(int steps, int pressure, int valve)
{
    TIGHTROPE_HYPERLABEL("1 then 2 without 3"); // expect label: covered
    TIGHTROPE_HYPERLABEL("2 then 1"); // expect label: infeasible
    TIGHTROPE_HYPERLABEL("3 then 1"); // expect label: covered
    TIGHTROPE_HYPERLABEL("1 and 4 where before > after"); // expect label: infeasible
    TIGHTROPE_HYPERLABEL("1 and 4 where after - before == 20"); // expect label: covered
    TIGHTROPE_HYPERLABEL("2 then 1 or 3 then 4"); // expect label: covered
    int moved = 0;
    for (int i = 0; i < steps && i < 4; i++) {
        pc_label_bindings(valve == 1, 1, "OPEN", 1, 1, "before", pressure);
        if (pressure > 50) {
            pc_label(1, 2, "HIGH"); // expect label: covered
            valve = 0;
            break;
        }
        pc_label(moved > 3, 3, "FULL"); // expect label: covered
        if (pressure >= 0)
            pressure += 20;
        moved += valve ? 3 : 0;
    }
    pc_label_bindings(moved > 0, 4, "END", 1, 1, "after", pressure);
    return moved;
}
