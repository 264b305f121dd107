"""Ties by names: signatures as C libraries have them, and which lengths and ends are seen in them."""

from __future__ import annotations

import re

import pytest

from tightrope.inputs.length_names import fit, read_length_name, split_name
from tightrope.inputs.length_ties import Sibling, find_ends, find_ties

INTEGERS = {
    "int",
    "size_t",
    "ssize_t",
    "unsigned",
    "long",
    "u8",
    "u16",
    "u32",
    "u64",
    "uint8",
    "uint32",
    "off_t",
    "socklen_t",
}
CHARACTERS = {"char", "uchar", "u8", "byte", "uint8"}


def sibling(text: str) -> Sibling:
    """`const char *s` -> a pointer to characters called s; `struct` marks a record, `[]` after it an indexed one."""
    is_indexed = True if text.endswith("[]") else None
    found = re.fullmatch(r"(?:const )?(struct )?(\w+)( ?\**)(\w+)(?:\[\])?", text.strip())
    assert found, text
    record, kind, stars, name = found.groups()
    if not stars.strip():
        return Sibling(name, "integer" if kind in INTEGERS else "other")
    target = hash(kind + "*" * (stars.count("*") - 1))
    pointee = hash(kind + "*" * (stars.count("*") - 2)) if "**" in stars else None
    is_character = kind in CHARACTERS and pointee is None
    return Sibling(name, "pointer", target, is_character, pointee, bool(record) and pointee is None, is_indexed)


def siblings(signature: str) -> list[Sibling]:
    return [sibling(part) for part in signature.split(",")]


def ties(signature: str, are_members: bool = False) -> str:
    return " ".join(f"{tie.pointer}~{tie.length}" for tie in find_ties(siblings(signature), are_members))


SIGNATURES = [
    # string.h and strings.h
    ("void *dest, const void *src, size_t n", "dest~n src~n"),
    ("void *s, int c, size_t n", "s~n"),
    ("const void *s1, const void *s2, size_t n", "s1~n s2~n"),
    ("char *dst, const char *src, size_t size", "dst~size src~size"),
    ("const char *s, int c", ""),
    ("const char *s, size_t maxlen", "s~maxlen"),
    ("int errnum, char *buf, size_t buflen", "buf~buflen"),
    ("const void *haystack, size_t haystacklen, const void *needle, size_t needlelen", "haystack~haystacklen needle~needlelen"),
    ("const char *h, size_t hlen, const char *n, size_t nlen", "h~hlen n~nlen"),
    # stdlib.h, stdio.h, unistd.h, sys/socket.h
    ("void *base, size_t nmemb, size_t size", "base~nmemb"),
    ("const void *key, const void *base, size_t nmemb, size_t size", "base~nmemb"),
    ("void *ptr, size_t size, size_t nmemb, struct FILE *stream", "ptr~nmemb"),
    ("char *s, int size, struct FILE *stream", "s~size"),
    ("char *str, size_t size, const char *format", "str~size"),
    ("int fd, void *buf, size_t count", "buf~count"),
    ("int fd, const void *buf, size_t n, off_t offset", "buf~n"),
    ("int sockfd, void *buf, size_t len, int flags", "buf~len"),
    ("char *s, size_t max, const char *format, const struct tm *tm", "s~max"),
    ("const char *nptr, char **endptr, int base", ""),
    ("int argc, char **argv", "argv~argc"),
    ("struct option *options, int argc, char **argv, int flags", "argv~argc"),
    ("char **lineptr, size_t *n, struct FILE *stream", ""),
    ("const char *path, int flags, int mode", ""),
    ("const char *format, int n", ""),
    # numbers
    ("const int *values, int count", "values~count"),
    ("int *a, int n", "a~n"),
    ("double *x, const double *y, int n", "x~n y~n"),
    ("int n, const double *x, double *y", "x~n y~n"),
    ("float *samples, size_t num_samples, float gain", "samples~num_samples"),
    ("int *array, unsigned length, int key", "array~length"),
    ("int x, int n", ""),
    ("const int *table, int index", ""),
    ("int *list, int id, int mode", ""),
    ("int *state, int statenum", ""),
    ("int *sns, int numstates, int *accset, int nacc", "sns~numstates accset~nacc"),
    ("int *p, int min, int max", ""),
    ("char *key, int keybits", ""),
    # encoders, decoders, hashes, ciphers
    ("uchar *dst, size_t dlen, size_t *olen, const uchar *src, size_t slen", "dst~dlen src~slen"),
    ("const uchar *input, size_t ilen, uchar *output, size_t *olen, size_t osize", "input~ilen output~osize"),
    ("const char *in, size_t in_len, char *out, size_t out_len", "in~in_len out~out_len"),
    ("const char *srcBuf, int srcLen, char *dstBuf, int dstLen", "srcBuf~srcLen dstBuf~dstLen"),
    ("u32 crc, const uchar *buf, size_t len", "buf~len"),
    ("const uchar *data, size_t size, u32 seed", "data~size"),
    ("struct ctx *ctx, size_t length, const uchar *input, uchar *output", "input~length output~length"),
    ("struct ctx *ctx, int mode, size_t length, size_t *iv_off, uchar *iv, const uchar *input, uchar *output", "input~length output~length"),
    ("const uchar *key, const uchar *nonce, u32 counter, size_t data_len, const uchar *input, uchar *output", "input~data_len output~data_len"),
    ("const uchar *salt, size_t salt_len, const uchar *ikm, size_t ikm_len, uchar *okm, size_t okm_len", "salt~salt_len ikm~ikm_len okm~okm_len"),
    ("struct ctx *ctx, const uchar *additional, size_t add_len", "additional~add_len"),
    ("struct ctx *ctx, const uchar *hash, size_t hlen, uchar *sig, size_t slen", "hash~hlen sig~slen"),
    ("const uchar *s, size_t nbytes, u32 *codepoint", "s~nbytes"),
    ("struct grp *grp, const uchar **buf, size_t len", "*buf~len"),
    ("uchar *block, size_t block_size", "block~block_size"),
    ("uchar *p, size_t block_size", ""),
    ("void *p_rng, uchar *output, size_t output_len", "output~output_len"),
    ("void *ctx, size_t length, const uchar *input, uchar *output", "input~length output~length"),
    # containers: one object, unless the code indexes it
    ("struct list *list, int value", ""),
    ("struct list *list, int n", ""),
    ("struct item *items[], int n", "items~n"),
    ("struct vec *v, const void *elems, size_t elem_size, size_t n_elems", "elems~n_elems"),
    ("struct buf *buf, size_t elem_size", ""),
    ("struct tree *tree, const char *key, size_t keylen, int value", "key~keylen"),
    # sqlite, lwip, make, bash
    ("struct sqlite3 *db, const char *zSql, int nBytes", "zSql~nBytes"),
    ("const char *zName, int nName, int iVal", "zName~nName"),
    ("const char *z, double *pResult, int length, u8 enc", "z~length"),
    ("const uchar *zIn, int nByte", "zIn~nByte"),
    ("u8 *aData, int nData", "aData~nData"),
    ("int n, char *zBuf, const char *zFormat", "zBuf~n"),
    ("struct pbuf *p, const void *dataptr, u16 len", "dataptr~len"),
    ("const struct ip4_addr *addr, char *buf, int buflen", "buf~buflen"),
    ("const void *dataptr, u16 len", "dataptr~len"),
    ("char *o, const char *text, const char *subst, const char *replace, size_t slen, size_t rlen", "subst~slen replace~rlen"),
    ("const char *string, size_t slen, int sind, int flags", "string~slen"),
    ("char *name, size_t length, const char *value", "name~length"),
    ("uchar *ccls, int lenccl, int *fwd, int *bck, int llsiz", "ccls~lenccl fwd~llsiz bck~llsiz"),
    ("char *text, size_t tlen, int *indx, int satisfy", "text~tlen"),
    ("char *string, int *sindex, int flags", ""),
]  # fmt: skip


@pytest.mark.parametrize(("signature", "expected"), SIGNATURES)
def test_parameters(signature: str, expected: str) -> None:
    assert ties(signature) == expected


MEMBERS = [
    ("u8 tag, size_t len, uchar *p", "p~len"),
    ("char *data, size_t used, size_t capacity", "data~used"),
    ("int size, char *bitmap", "bitmap~size"),
    ("int s, size_t n, u64 *p", "p~n"),
    ("void *elts, int nelts, size_t elt_size, int nmax", "elts~nelts"),
    ("char *name, int iv_size, int flags", ""),
    ("char *suffix, char *target, size_t len", "target~len"),
    ("char **list, int list_size, int list_len", "list~list_len"),
    ("int argc, char **argv", "argv~argc"),
]


@pytest.mark.parametrize(("record", "expected"), MEMBERS)
def test_members(record: str, expected: str) -> None:
    assert ties(record, are_members=True) == expected


def test_a_capacity_beside_a_count_is_bounded_too() -> None:
    (tie,) = find_ties(siblings("char **list, int list_size, int list_len"))
    assert (tie.length, tie.also) == ("list_len", ("list_size",))


def test_an_array_of_records_is_tied_where_the_code_indexes_it() -> None:
    one = Sibling("items", "pointer", 7, is_record=True, is_indexed=False)
    count = Sibling("items_count", "integer")
    assert find_ties([one, count]) == ()
    assert find_ties([Sibling("items", "pointer", 7, is_record=True, is_indexed=True), count])


ENDS = [
    ("const char *p, const char *end", "end>p"),
    ("const char *s, const char *limit, int c", "limit>s"),
    ("const int *first, const int *last", "last>first"),
    ("int *begin, int *end", "end>begin"),
    ("char *str, const char *end", "end>str"),
    ("uchar **p, const uchar *end", "end>*p"),
    ("struct ctx *ctx, const uchar **buf, const uchar *end", "end>*buf"),
    ("char *buf, char *buf_end, char *p", "buf_end>buf"),
    ("char *read_base, char *read_end, char *write_base, char *write_end", "read_end>read_base write_end>write_base"),
    ("const char *zStart, const char *zEnd", "zEnd>zStart"),
    ("const char *s, const char *e", "e>s"),
    ("const char *p, const char *pend", "pend>p"),
    ("const char *p, const int *end", ""),
    ("char *line, char *end", ""),
    ("const char *nptr, char **endptr, int base", ""),
    ("int start, int *sp, int *ep", ""),
    ("char *string, char **sp, char **ep", ""),
    ("struct node *head, struct node *tail", ""),
    ("struct node *first, struct node *last", ""),
    ("struct node *first[], struct node *last[]", "last>first"),
    ("int start, int end", ""),
    ("const char *backend, const char *s", ""),
]


@pytest.mark.parametrize(("signature", "expected"), ENDS)
def test_ends(signature: str, expected: str) -> None:
    assert " ".join(f"{end.pointer}>{end.start}" for end in find_ends(siblings(signature))) == expected


def test_an_end_has_no_length() -> None:
    assert ties("const char *p, const char *end, size_t n") == "p~n"


@pytest.mark.parametrize(
    ("name", "about"),
    [("n", ""), ("len", ""), ("srcLen", "src"), ("buf_len", "buf"), ("buflen", "buf"), ("num_items", ""), ("n2", "2")]
    + [("max_len", ""), ("numStates", "states"), ("keylen", "key"), ("total_size", ""), ("argc", "arg")],
)
def test_names_of_lengths(name: str, about: str) -> None:
    found = read_length_name(name)
    assert found is not None and found.about == about


@pytest.mark.parametrize(
    "name", "flags mode base fd index id c x offset width node next name account key_bitlen elem_size min_len i".split()
)
def test_names_of_other_things(name: str) -> None:
    assert read_length_name(name) is None


def test_words_of_a_name() -> None:
    assert split_name("srcLen") == split_name("src_len") == split_name("SRCLen") == ("src", "len")
    assert split_name("_IO_read_end") == ("io", "read", "end")
    assert split_name("__") == ()


def test_how_well_a_name_fits() -> None:
    assert [fit("key", name) for name in ("key", "keys", "key_buffer", "k", "pKey", "monkey")] == [4, 3, 2, 0, 4, 2]
    assert fit("s", "subst") == 1 and fit("s", "src") == 3 and fit("", "p") == 0
