#include "runner/machine/machine.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/slug.h"

enum { CACHE_WHEN_UNKNOWN = 32 << 20 };

void facts_miss(struct facts *f, const char *name, const char *why)
{
	if (f->nmissing == FACTS_MISSING)
		return;
	snprintf(f->missing[f->nmissing].name, sizeof f->missing[0].name, "%s", name);
	snprintf(f->missing[f->nmissing].why, sizeof f->missing[0].why, "%s", why);
	f->nmissing++;
}

/*
 * Copies the value of the first "key : value" line in a file; "" if there is none, or no such file.
 * False if the system failed to read it: a record must not say then that a fact is unknown.
 */
static bool file_value(const char *path, const char *key, char *out, size_t size, struct err *e)
{
	out[0] = 0;
	FILE *f = fopen(path, "re");
	bool ok = f || errno == ENOENT || errno == ENOTDIR || err_sys(e, "%s: cannot open", path);
	char line[8192];
	size_t n = strlen(key);
	while (f && fgets(line, sizeof line, f)) {
		if (strncmp(line, key, n) != 0)
			continue;
		const char *v = line + n + strspn(line + n, " \t:=\"");
		snprintf(out, size, "%.*s", (int)strcspn(v, "\"\n"), v);
		break;
	}
	if (f && ferror(f))
		ok = err_sys(e, "%s: cannot read", path);
	if (f)
		fclose(f);
	return ok;
}

int machine_threads(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return CPU_COUNT(&set);
	return 1;
}

/* Bytes of the last cache level, which a cold measurement must flush. */
static int64_t cache_bytes(struct facts *f)
{
	static const int names[] = {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
	                            _SC_LEVEL2_CACHE_SIZE};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (sysconf(names[i]) > 0)
			return sysconf(names[i]);
	facts_miss(f, "cache_bytes", "the system does not say; 32 MiB assumed");
	return CACHE_WHEN_UNKNOWN;
}

void machine_cpu_facts(struct facts *f)
{
	struct err e = ERR_NONE;
	*f = (struct facts){.sms = 0, .ecc = RECORD_NONE};
	f->usable = file_value("/proc/cpuinfo", "model name", f->name, sizeof f->name, &e);
	if (!f->name[0])
		snprintf(f->name, sizeof f->name, "unknown");
	slug_device("cpu", f->name, f->slug, sizeof f->slug);
	f->threads = machine_threads();
	int64_t page = sysconf(_SC_PAGESIZE);
	f->memory_bytes = sysconf(_SC_PHYS_PAGES) * page;
	f->free_bytes = sysconf(_SC_AVPHYS_PAGES) * page;
	/* MemAvailable includes memory that the page cache would give back */
	char kib[32] = "";
	f->usable = file_value("/proc/meminfo", "MemAvailable", kib, sizeof kib, &e) && f->usable;
	snprintf(f->why, sizeof f->why, "%.*s", (int)sizeof f->why - 1, e.text);
	if (atoll(kib) > 0)
		f->free_bytes = atoll(kib) * 1024;
	f->cache_bytes = cache_bytes(f);
}

static const char *os_name(const char *pretty, struct arena *a)
{
	struct utsname u;
	uname(&u);
	/* major and minor version are enough; the rest names one provider's build */
	int major = 0, minor = 0;
	sscanf(u.release, "%d.%d", &major, &minor);
	return arena_printf(a, "%s, %s %d.%d, %s", pretty[0] ? pretty : "unknown", u.sysname, major,
	                    minor, u.machine);
}

static const char *copy_or_null(struct arena *a, const char *s)
{
	return s[0] ? arena_strdup(a, s) : NULL;
}

static void describe_gpu(const struct facts *f, struct arena *a, struct run_gpu *g)
{
	*g = (struct run_gpu){
	        .name = arena_strdup(a, f->name),
	        .uuid = copy_or_null(a, f->uuid),
	        .vbios = copy_or_null(a, f->vbios),
	        .driver = copy_or_null(a, f->driver),
	        .compute_capability = copy_or_null(a, f->capability),
	        .cuda_driver = f->cuda_driver,
	        .cuda_runtime = f->cuda_runtime,
	        .sms = f->sms,
	        .l2_bytes = f->cache_bytes,
	        .memory_bytes = f->memory_bytes,
	        .bus_bits = f->bus_bits,
	        .sm_clock_max_mhz = f->sm_clock_max_mhz,
	        .memory_clock_max_mhz = f->memory_clock_max_mhz,
	        .power_limit_mw = f->power_limit_mw,
	        .ecc = f->ecc,
	};
}

/* Variables that turn NVLink multicast off: of NCCL, of PyTorch's symmetric memory, of NVSHMEM. */
static const struct run_pair multicast[] = {
        {"NCCL_NVLS_ENABLE", "0", 0},
        {"TORCH_SYMM_MEM_DISABLE_MULTICAST", "1", 0},
        {"NVSHMEM_DISABLE_NVLS", "1", 0},
};

bool machine_multicast_is_off(struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(multicast); i++) {
		const char *v = getenv(multicast[i].name);
		if (!v || strcmp(v, multicast[i].word) != 0)
			return err_set(e,
			               "several GPUs: NVLink multicast must be off, but the "
			               "environment lacks %s=%s",
			               multicast[i].name, multicast[i].word);
	}
	return true;
}

/* Every pair of the run's GPUs, and the variables that it needed. */
static void describe_several(const struct facts *f, int gpus, struct arena *a, struct run_head *h)
{
	h->gpu.uuid = NULL; /* it names one card */
	h->gpus = ARENA_ARRAY(a, struct run_card, (size_t)gpus);
	h->topology = ARENA_ARRAY(a, struct run_link, (size_t)gpus * (size_t)gpus);
	for (int g = 0; g < gpus; g++) {
		h->gpus[h->ngpus++] = (struct run_card){.uuid = copy_or_null(a, f->gpu[g].uuid),
		                                        .vbios = copy_or_null(a, f->gpu[g].vbios),
		                                        .pci = copy_or_null(a, f->gpu[g].pci)};
		for (int to = 0; to < gpus; to++) {
			const struct facts_link *l = &f->link[g][to];
			if (to != g)
				h->topology[h->ntopology++] = (struct run_link){
				        g, to, l->nvlink_lanes, l->read, l->write, l->atomics};
		}
	}
	h->env = ARENA_ARRAY(a, struct run_pair, ARRAY_LEN(multicast));
	for (size_t i = 0; i < ARRAY_LEN(multicast); i++)
		h->env[h->nenv++] = multicast[i];
}

bool machine_describe(const struct facts *f, int gpus, struct arena *a, struct run_head *h,
                      struct err *e)
{
	struct facts cpu;
	char pretty[128], type[8], line[8192];
	machine_cpu_facts(&cpu);
	if ((!cpu.usable && !err_set(e, "%s", cpu.why)) ||
	    !file_value("/etc/os-release", "PRETTY_NAME=", pretty, sizeof pretty, e) ||
	    !file_value("/sys/hypervisor/type", "", type, sizeof type, e) ||
	    !file_value("/proc/cpuinfo", "flags", line, sizeof line, e))
		return false;
	h->machine = (struct run_machine){
	        .key = gpus > 1   ? arena_printf(a, "%s-x%d/%s", f->slug, gpus, f->driver)
	               : gpus > 0 ? arena_printf(a, "%s/%s", f->slug, f->driver)
	                          : arena_printf(a, "%s/%d-threads", f->slug, cpu.threads),
	        .cpu = arena_strdup(a, cpu.name),
	        .os = os_name(pretty, a),
	        .virtualisation = type[0] || strstr(line, " hypervisor") ? "virtual machine" : NULL,
	        .cores = cpu.threads,
	        .memory_bytes = cpu.memory_bytes,
	};
	h->gpu = (struct run_gpu){0};
	if (gpus > 0)
		describe_gpu(f, a, &h->gpu);
	if (gpus > 1)
		describe_several(f, gpus, a, h);
	h->unavailable = ARENA_ARRAY(a, struct run_pair, FACTS_MISSING);
	for (size_t i = 0; i < f->nmissing; i++)
		h->unavailable[h->nunavailable++] =
		        (struct run_pair){.name = arena_strdup(a, f->missing[i].name),
		                          .word = arena_strdup(a, f->missing[i].why)};
	return true;
}
