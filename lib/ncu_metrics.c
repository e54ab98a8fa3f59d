/* To add a counter, add a row here and one to data/FORMAT.md. */
#include "lib/ncu_metrics.h"

const struct ncu_metric ncu_metrics[NCU_METRICS] = {
        {"time_ns", "gpu__time_duration.sum", "ns", NCU_SUM}, /* must be first: weighs means */
        {"dram_read_bytes", "dram__bytes_read.sum", "byte", NCU_SUM},
        {"dram_written_bytes", "dram__bytes_write.sum", "byte", NCU_SUM},
        {"l2_hit_percent", "lts__t_sector_hit_rate.pct", "%", NCU_MEAN},
        {"occupancy_percent", "sm__warps_active.avg.pct_of_peak_sustained_active", "%", NCU_MEAN},
        {"occupancy_limit_percent", "sm__maximum_warps_per_active_cycle_pct", "%", NCU_MEAN},
        {"tensor_pipe_percent", "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active",
         "%", NCU_MEAN},
        {"shared_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "",
         NCU_SUM},
        {"shared_pipe_percent",
         "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed", "%",
         NCU_MEAN},
        {"dram_percent", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", NCU_MEAN},
        {"l2_percent", "lts__t_sectors.avg.pct_of_peak_sustained_elapsed", "%", NCU_MEAN},
        {"l2_atomic_percent", "lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed",
         "%", NCU_MEAN},
        {"l2_atomic_max_percent",
         "lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", "%", NCU_MEAN},
        {"l2_tag_percent", "lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed", "%", NCU_MEAN},
        {"to_l2_percent", "lts__xbar2lts_cycles_active.avg.pct_of_peak_sustained_elapsed", "%",
         NCU_MEAN},
        {"from_l1_percent", "l1tex__m_l1tex2xbar_throughput.avg.pct_of_peak_sustained_elapsed", "%",
         NCU_MEAN},
        {"l2_atomic_sectors", "lts__t_sectors_op_atom.sum", "sector", NCU_SUM},
        {"l2_reduction_sectors", "lts__t_sectors_op_red.sum", "sector", NCU_SUM},
        {"load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "", NCU_SUM},
        {"load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", NCU_SUM},
        {"store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "", NCU_SUM},
        {"store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", NCU_SUM},
        {"instructions", "smsp__inst_executed.sum", "inst", NCU_SUM},
        {"issue_percent", "smsp__issue_active.avg.pct_of_peak_sustained_active", "%", NCU_MEAN},
        {"registers", "launch__registers_per_thread", "register/thread", NCU_MAX},
        /* local memory holds spills and little else */
        {"local_loads", "smsp__inst_executed_op_local_ld.sum", "inst", NCU_SUM},
        {"local_stores", "smsp__inst_executed_op_local_st.sum", "inst", NCU_SUM},
#define STALL(what) \
	"smsp__average_warps_issue_stalled_" what "_per_issue_active.ratio", "inst", NCU_MEAN
        {"stall_memory_warps", STALL("long_scoreboard")},
        {"stall_shared_warps", STALL("short_scoreboard")},
        {"stall_memory_queue_warps", STALL("lg_throttle")},
        {"stall_shared_queue_warps", STALL("mio_throttle")},
        {"stall_math_warps", STALL("math_pipe_throttle")},
        {"stall_barrier_warps", STALL("barrier")},
        {"stall_dependency_warps", STALL("wait")},
#undef STALL
};

const char *ncu_metrics_name(struct str name)
{
	for (size_t i = 0; i < NCU_METRICS; i++)
		if (str_is(name, ncu_metrics[i].name))
			return ncu_metrics[i].metric;
	return NULL;
}
