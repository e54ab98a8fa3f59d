/*
 * kernels/knobs.c - the families that have knobs, and look-ups over those.
 *
 * How to add a family: declare its array of knobs here, and add a row.
 */
#include "kernels/knob.h"

#include <string.h>

extern const struct kernel_knob stream_knobs[], scan_knobs[], gemv_knobs[],
    quantize_knobs[], softmax_knobs[], histogram_knobs[];

static const struct {
    const char *family;
    const struct kernel_knob *knobs;
} families[] = {
    {"stream", stream_knobs},   {"scan", scan_knobs},
    {"gemv", gemv_knobs},       {"quantize", quantize_knobs},
    {"softmax", softmax_knobs}, {"histogram", histogram_knobs},
};

const struct kernel_knob *kernel_knob_of(const struct kernel_family *f,
                                         const struct kernel_variant *v)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const struct kernel_knob *k = families[i].knobs;

        if (strcmp(families[i].family, f->id) != 0)
            continue;
        for (; k->variant; k++)
            if (strcmp(k->variant, v->id) == 0)
                return k;
    }
    return NULL;
}
