/*
 * kernels/trace.h - the time stamps of kernels/trace.cuh, as the program that
 * reads them knows them.
 *
 * To add a role or an event, add a row to its list. Records hold the names, so
 * rows may come in any order.
 */
#ifndef KERNELS_TRACE_H
#define KERNELS_TRACE_H

#include <stdint.h>

/* Who works: what a whole block does, or warps with a task of their own. A
 * group has four warps, which multiply together. */
#define TRACE_ROLES(ROW)    \
    ROW(BLOCK, "block")     \
    ROW(LOADER, "loader")   \
    ROW(GROUP, "group")     \
    ROW(ADDER, "adder")     \
    ROW(LOOKER, "looker")   \
    ROW(SCANNER, "scanner") \
    ROW(REDUCER, "reducer") \
    ROW(WRITER, "writer")

/* What it does. A ticket is a moment, its step the number that was drawn. A
 * slot is in use from the request for a copy until the thread that asks finds
 * it free again. In attention the products are those of scores and of values.
 */
#define TRACE_EVENTS(ROW)   \
    ROW(TICKET, "ticket")   \
    ROW(LOAD, "load")       \
    ROW(SLOT, "slot")       \
    ROW(WAIT, "wait")       \
    ROW(PRODUCT, "product") \
    ROW(SCORES, "scores")   \
    ROW(VALUES, "values")   \
    ROW(SOFTMAX, "softmax") \
    ROW(ADD, "add")         \
    ROW(LOOK, "look")       \
    ROW(SCAN, "scan")       \
    ROW(REDUCE, "reduce")   \
    ROW(SIGNAL, "signal")   \
    ROW(STORE, "store")

enum trace_role {
#define TRACE_ROW(id, name) TRACE_ROLE_##id,
    TRACE_ROLES(TRACE_ROW)
#undef TRACE_ROW
        TRACE_ROLE_COUNT,
};

enum trace_event {
#define TRACE_ROW(id, name) TRACE_EVENT_##id,
    TRACE_EVENTS(TRACE_ROW)
#undef TRACE_ROW
        TRACE_EVENT_COUNT,
};

/* A stamp says that an event begins, ends, or happens at once. */
enum trace_kind { TRACE_KIND_BEGIN, TRACE_KIND_END, TRACE_KIND_MARK };
enum { TRACE_KINDS = 3 };

/* A stamp: 16 bytes, written at once. */
struct trace_stamp {
    uint64_t clock; /* of the SM */
    uint32_t what;  /* TRACE_KINDS * event + kind */
    uint32_t step;  /* turn of a loop, or the ticket that was drawn */
};

/* The head of a ring, written when its warp is done. */
struct trace_ring {
    uint64_t begin, end; /* the SM's clock; end 0: never closed */
    uint32_t block, sm, role, member;
    uint32_t stamps; /* made; those beyond trace_room.stamps were not kept */
    uint32_t unused;
};

/* Where rings are. Ring i has stamps i * stamps and so on. */
struct trace_room {
    struct trace_ring *ring;   /* NULL: nobody asks for stamps */
    struct trace_stamp *stamp; /* of all rings */
    unsigned *opened;          /* rings that were asked for so far */
    unsigned rings;            /* a power of 2: later ones overwrite earlier */
    unsigned stamps;           /* of each ring */
};

/* A source that was compiled with marks. attach() gives its kernels room, or
 * takes it away (ring NULL), and returns a cudaError_t. */
struct trace_unit {
    const char *file;
    int (*attach)(const struct trace_room *room);
};

#endif
