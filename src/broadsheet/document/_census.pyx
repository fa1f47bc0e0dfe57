# cython: boundscheck=False, wraparound=False, cdivision=True
"""One pass over a page's bytes before anything is built: how much of everything the parser would have to make.

The pass tokenises as HTML does (quotes in attributes, comments, the raw text of scripts), so that neither a `<` in a
script nor a `>` in an attribute is taken for a tag, and no page can hide its attributes from the count.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memchr, memcmp

cdef enum:
    DEEPEST = 2048  # where libxml2 gives up, so no tag can cost more than this
    SEARCHED = 32  # an end tag closes what is this near; one further out is rare, and passing it over is the safe side

cdef struct Tally:
    int64_t nodes
    int64_t work
    int64_t longest_attribute
    int64_t most_attributes

cdef inline const unsigned char* find(const unsigned char* at, const unsigned char* end, int byte) noexcept nogil:
    """Return where `byte` stands next, or `end`."""
    cdef const void* found = memchr(at, byte, end - at) if at < end else NULL
    return end if found == NULL else <const unsigned char*> found

cdef inline bint is_space(unsigned char byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13 and byte != 11

cdef inline bint is_letter(unsigned char byte) noexcept nogil:
    return 97 <= (byte | 32) <= 122

cdef uint64_t pack(bytes name):
    cdef uint64_t packed = 0
    for byte in name:
        packed = packed << 8 | <unsigned char> byte
    return packed

cdef enum:
    MOST_NAMES = 64
    LONGEST_NAME = 8  # a name that is looked for fits one machine word

cdef struct Names:
    uint64_t packed[MOST_NAMES]
    int size

cdef Names names_of(str listed):
    cdef Names names
    names.size = 0
    for name in listed.split():
        names.packed[names.size] = pack(name.encode())
        names.size += 1
    return names

# Names of eight letters or fewer fit one machine word, so that telling one costs a comparison.
cdef Names RAW = names_of("script style textarea title xmp iframe noembed noframes")
# These hold nothing, or are closed by the next of their kind: a thousand of them unclosed are not a thousand deep.
cdef Names SHALLOW = names_of(
    "area base br col embed hr img input link meta param source track wbr p li dt dd td th tr option optgroup "
    "tbody thead tfoot colgroup"
)

cdef uint64_t SCRIPT = pack(b"script")

cdef inline bint among(uint64_t name, const Names* names) noexcept nogil:
    cdef int k
    for k in range(names.size):
        if names.packed[k] == name:
            return True
    return False

cdef inline const unsigned char* read_name(
    const unsigned char* at, const unsigned char* end, uint64_t* name
) noexcept nogil:
    """Read a tag's name; a longer one than fits is marked by a bit that no name of letters has."""
    cdef const unsigned char* start = at
    cdef uint64_t packed = 0
    while at < end and not is_space(at[0]) and at[0] != 47 and at[0] != 62:
        packed = packed << 8 | (at[0] | 32 if is_letter(at[0]) else at[0])
        at += 1
    name[0] = packed if at - start <= LONGEST_NAME else packed | <uint64_t> 1 << 63
    return at

cdef const unsigned char* read_attributes(
    const unsigned char* at, const unsigned char* end, Tally* tally, bint* self_closed
) noexcept nogil:
    """Read a tag's attributes up to and past its `>`."""
    cdef const unsigned char* start
    cdef int64_t attributes = 0
    cdef int64_t length
    self_closed[0] = False
    while at < end:
        if is_space(at[0]) or at[0] == 47:
            self_closed[0] = at[0] == 47 and end - at > 1 and at[1] == 62
            at += 1
            continue
        if at[0] == 62:
            at += 1
            break
        attributes += 1
        at += 1
        while at < end and not is_space(at[0]) and at[0] != 47 and at[0] != 62 and at[0] != 61:
            at += 1
        while at < end and is_space(at[0]):
            at += 1
        if at >= end or at[0] != 61:
            continue
        at += 1
        while at < end and is_space(at[0]):
            at += 1
        if at < end and (at[0] == 34 or at[0] == 39):
            start = at + 1
            at = find(start, end, at[0])
            length = at - start
            at += 1
        else:
            start = at
            while at < end and not is_space(at[0]) and at[0] != 62:
                at += 1
            length = at - start
        if length > tally.longest_attribute:
            tally.longest_attribute = length
    tally.nodes += attributes
    # The parser holds each attribute of a tag against all before it.
    tally.work += attributes * attributes // 2
    if attributes > tally.most_attributes:
        tally.most_attributes = attributes
    return at

cdef inline bint begins(const unsigned char* at, const unsigned char* end, const char* text, int length) noexcept nogil:
    return end - at >= length and memcmp(at, text, length) == 0

cdef const unsigned char* skip_comment(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Return where the comment that begins with `<!--` at `at` has ended."""
    cdef const unsigned char* start = at + 4
    at = start - 1
    while True:
        at = find(at + 1, end, 62)
        if at >= end:
            return end
        # The two hyphens of the beginning may also be those of the end, but not of the end with a `!`.
        if (at - 1)[0] == 45 and (at - 2)[0] == 45:
            return at + 1
        if at - start >= 3 and (at - 1)[0] == 33 and (at - 2)[0] == 45 and (at - 3)[0] == 45:
            return at + 1

cdef inline bint names(const unsigned char* at, const unsigned char* end, uint64_t name) noexcept nogil:
    """Tell whether a tag's name at `at` is this one, and ends.

    This is asked at every `<`, so it must not read on to the end of a name that is longer than any it looks for.
    """
    cdef uint64_t found
    cdef const unsigned char* limit = end if end - at <= LONGEST_NAME else at + LONGEST_NAME + 1
    if at >= end or not is_letter(at[0]):
        return False
    return read_name(at, limit, &found) < limit and found == name

cdef const unsigned char* skip_raw_text(
    const unsigned char* at, const unsigned char* end, uint64_t name
) noexcept nogil:
    """Return where the raw text of the element called `name` ends, at its end tag."""
    while True:
        at = find(at, end, 60)
        if at >= end:
            return end
        if name == SCRIPT and begins(at, end, b"<!--", 4):
            at = skip_script_comment(at, end)
            if at >= end or at[0] == 60:
                return at
            continue
        if end - at > 2 and at[1] == 47 and names(at + 2, end, name):
            return at
        at += 1

cdef const unsigned char* skip_script_comment(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Return where a comment in a script ends, past its `-->`, or the `</script>` in it that ends the script.

    In such a comment a `<script>` hides the next `</script>`, as HTML has it for the sake of very old pages.
    """
    cdef bint hiding = False
    at += 2
    while at < end:
        if at[0] == 45 and begins(at, end, b"-->", 3):
            return at + 3
        if at[0] == 60 and not hiding and names(at + 1, end, SCRIPT):
            hiding = True
        elif at[0] == 60 and end - at > 2 and at[1] == 47 and names(at + 2, end, SCRIPT):
            if not hiding:
                return at
            hiding = False
        at += 1
    return end

cdef struct Stack:
    uint64_t names[DEEPEST]
    int64_t depth

cdef inline void close(Stack* stack, uint64_t name) noexcept nogil:
    """Leave the nearest open element of this name; an end tag without one closes nothing."""
    cdef int64_t at = stack.depth
    while at > 0 and stack.depth - at < SEARCHED:
        at -= 1
        if stack.names[at] == name:
            stack.depth = at
            return

cdef const unsigned char* take_start_tag(
    const unsigned char* at, const unsigned char* end, Tally* tally, Stack* stack
) noexcept nogil:
    cdef uint64_t name
    cdef bint self_closed
    at = read_name(at + 1, end, &name)
    at = read_attributes(at, end, tally, &self_closed)
    if self_closed:
        return at
    if among(name, &RAW):
        return skip_raw_text(at, end, name)
    if stack.depth < DEEPEST and not among(name, &SHALLOW):
        stack.names[stack.depth] = name
        stack.depth += 1
    return at

cdef void take(const unsigned char* at, const unsigned char* end, Tally* tally) noexcept nogil:
    cdef uint64_t name
    cdef bint self_closed
    cdef Stack stack
    stack.depth = 0
    while True:
        at = find(at, end, 60)
        if end - at < 2:
            return
        if is_letter(at[1]):
            tally.nodes += 1
            at = take_start_tag(at, end, tally, &stack)
        elif at[1] == 47 and end - at > 2 and is_letter(at[2]):
            at = read_name(at + 2, end, &name)
            at = read_attributes(at, end, tally, &self_closed)
            close(&stack, name)
        elif begins(at, end, b"<!--", 4):
            tally.nodes += 1
            at = skip_comment(at, end)
        elif at[1] == 33 or at[1] == 47 or at[1] == 63:
            # Declarations, instructions and broken end tags, which become comments.
            tally.nodes += 1
            at = find(at, end, 62) + 1
        else:
            at += 1
            continue
        tally.work += stack.depth

def census(bytes page not None):
    """Return the nodes, the work (tags times their depth), the longest attribute and the most attributes in a tag."""
    cdef Tally tally = Tally(0, 0, 0, 0)
    cdef const unsigned char* data = page
    cdef Py_ssize_t size = len(page)
    with nogil:
        take(data, data + size, &tally)
    return tally.nodes, tally.work, tally.longest_attribute, tally.most_attributes
