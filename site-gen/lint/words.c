/*
 * English words of the lint. To add one, put it into the group of its meaning, in
 * lower case, with '_' for an inner space or hyphen ("per_cent", "speed_up"). A word
 * may be in several groups. Then add sentences that need it, and sentences that it
 * must not flag, to tests/lint/, and run the unit test `lint`.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

static const struct lint_group groups[] = {
        {LINT_NUMBER, "one two three four five six seven eight nine ten eleven twelve thirteen "
                      "fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty "
                      "forty "
                      "fifty sixty seventy eighty ninety dozen"},
        {LINT_MANY, "hundred thousand million billion trillion hundreds thousands millions "
                    "billions dozens tens"},
        {LINT_TIME,
         "s sec secs second seconds ms msec msecs millisecond milliseconds us usec "
         "µs μs microsecond microseconds ns nsec nanosecond nanoseconds ps "
         "picosecond nanos micros millis usecs µsec µsecs micro_seconds milli_seconds nano_seconds "
         "picoseconds min mins minute minutes h hr hrs hour hours"},
        {LINT_CYCLE, "cyc clock_ticks clock_periods cycles clocks clock_cycles clk clks"},
        {LINT_RATE,
         "ipc hz khz mhz ghz thz hertz kilohertz megahertz gigahertz kqps iops kiops miops qps "
         "rps tps fps mpps kpps pps gbps mbps kbps tbps gibps mibps tibps tops gops mops "
         "teraops gigaops gups mups mips gips"},
        {LINT_FLOPS, "flops kflops mflops gflops tflops pflops eflops gflop tflop pflop megaflops "
                     "gigaflops teraflops petaflops exaflops gigaflop teraflop petaflop "
                     "giga_flops tera_flops peta_flops"},
        {LINT_POWER, "w kw mw watt watts kilowatt kilowatts milliwatt milliwatts wh kwh mwh "
                     "watt_hours kilowatt_hours j pj nj µj μj uj mj kj joule joules picojoule "
                     "picojoules nanojoule nanojoules microjoule microjoules millijoule "
                     "millijoules kilojoule kilojoules"},
        {LINT_SIZE,
         "b kb mb gb tb pb kib mib gib tib bit bits byte bytes kilobyte kilobytes megabyte "
         "megabytes gigabyte gigabytes terabyte terabytes kbit mbit gbit tbit "
         "thread threads warp "
         "warps warpgroup warpgroups lane lanes block blocks cluster clusters "
         "register registers "
         "element elements word words row rows column columns line lines sector "
         "sectors tile tiles "
         "size sizes sized weight weights parameter parameters token tokens layer layers "
         "instruction instructions load loads store stores access accesses request requests "
         "iteration iterations stage stages bank banks l1 l2 l3 l2_cache cache "
         "caches data work "
         "operation operations flop multiprocessor multiprocessors sm sms core cores gpu gpus "
         "space length width height area depth page pages buffer buffers matrix "
         "matrices vector "
         "vectors batch batches code process processes kernel kernels launch launches sample "
         "samples digit digits memory capacity footprint storage number count counts amount "
         "prompt sequence context head heads experts expert chunk chunks value values integer "
         "integers float floats key keys entry entries file files step steps character "
         "characters array arrays tensor input inputs output outputs reuse parallelism "
         "precision shape shapes node nodes edge edges bin bins bucket buckets pass passes "
         "barrier barriers group groups read reads write writes binary executable array copies "
         "variant variants case "
         "cases run runs parts part pieces piece section sections chapter chapters post posts "
         "window windows header headers string strings "
         "occurrences arguments stride strides offset radius dimension dimensions slot slots"},
        {LINT_PER, "per each every"},
        {LINT_MOMENT, "s sec second ms millisecond µs μs us microsecond ns nanosecond min minute "
                      "h hr hour cycle clock clk clock_cycle"},
        {LINT_TIMES, "times"},
        {LINT_FOLD, "fold twofold threefold fourfold fivefold sixfold sevenfold eightfold "
                    "ninefold tenfold twentyfold hundredfold thousandfold two_fold three_fold "
                    "four_fold five_fold ten_fold hundred_fold"},
        {LINT_PERCENT, "percent per_cent pct"},
        {LINT_POINTS, "points percentage_points percentage_point pp ppt"},
        {LINT_PERF,
         "bandwidth bandwidths throughput speed speeds performance time "
         "times_per runtime run_time "
         "wall_time wall_clock latency latencies duration rate rates efficiency utilisation "
         "utilization occupancy datasheet data_sheet flops power energy "
         "frequency clock goodput "
         "cublas cublaslt cudnn cub cutlass cutensor memcpy cudamemcpy triton pytorch tensorrt "
         "vllm nccl thrust flashattention flash_attention baseline library roofline traffic "
         "overhead cost costs bill budget ipc mfu mbu sol slowdown delay response_time "
         "cpu hit_ratio hit_ratios build_time build_times compile_time compile_times load_time "
         "load_times page_load "
         "page_loads query_time query_times response_times startup_time startup_times boot_time "
         "boot_times scan_time step_time request_time cpu_time cpu_usage hand_written handwritten "
         "hand_tuned hand_rolled hand_optimized "
         "frame_rate hit_rate miss_rate issue_rate profile issued"},
        {LINT_RESOURCE,
         "memory dram hbm hbm2 hbm3 hbm3e vram bus buses link links nvlink pcie interconnect "
         "network fabric nic ssd disk pipe pipes pipeline pipelines pipeline "
         "bandwidth throughput "
         "tensor_cores tensor_core tensor_pipe cores units unit alu alus fpu "
         "fma l2 l2_cache sm "
         "sms multiprocessor multiprocessors gpu device machine memory_system memory_bus "
         "cpu cpus memory_controller issue_slots lsu channel channels engine engines port ports"},
        {LINT_PEAK, "ideal peak roof roofline ceiling speed_of_light sol full_bandwidth full_speed "
                    "full_throughput full_rate line_rate wire_speed maximum_bandwidth "
                    "theoretical_maximum theoretical_limit hardware_limit full_utilisation "
                    "full_utilization copy_speed memory_speed memory_limit bandwidth_limit "
                    "speed_of_memcpy memcpy_speed"},
        {LINT_RATIO, "hit_ratio hit_ratios speedup speedups speed_up speed_ups gain gains "
                     "utilisation utilization "
                     "efficiency occupancy hit_rate miss_rate issue_rate ipc mfu mbu slowdown "
                     "slow_down acceleration improvement weak_scaling strong_scaling"},
        {LINT_FASTER, "faster slower fast slow quicker quick quickly speedier efficient "
                      "inefficient expensive costly cheaper cheap long longer shorter high "
                      "higher "
                      "low lower better worse good well bad sooner later improvement "
                      "improvements "
                      "improves improved improve speedup speedups speed_up speed_ups gain "
                      "gains "
                      "slowdown slow_down sped_up speeds_up slows slowed accelerates "
                      "accelerated "
                      "acceleration outperforms outperform outperformed surpasses overtakes "
                      "outpaces fastest "
                      "slowest quickest wins win won trails lags leads beats beat beating "
                      "loses lost lose loss "
                      "losses ahead behind quicken idle busy stalled stalls stall wasted waste "
                      "wastes regression regressed utilised utilized serves served serve dip dips "
                      "spends spent squeezes squeezed squeeze shaves shaved knocks boost boosts "
                      "gap shortfall deficit penalty"},
        {LINT_LARGER, "larger smaller bigger wider narrower deeper taller more less fewer greater "
                      "many much large small big wide deep additional extra"},
        {LINT_HALF, "half third thirds quarter quarters fourth fourths fifth fifths sixth sixths "
                    "seventh sevenths eighth eighths ninth ninths tenth tenths hundredth "
                    "hundredths thousandth thousandths every_other"},
        {LINT_TWICE, "twice thrice"},
        {LINT_DOUBLES, "doubles doubled doubling halves halved halving halve triples tripled "
                       "tripling triple quadruples quadrupled quadrupling quadruple double"},
        {LINT_SATURATES, "saturates saturated saturate saturating exhausts exhausted fully_used "
                         "fully_busy enough_to_fill fully_utilised maxes_out max_out maxed_out"},
        {LINT_REACHES, "at near nears nearly gets_close_to get_close_to got_close_to close_to "
                       "close_at reaches reached reach reaching hits "
                       "hit hitting approaches approached approaching attains attained "
                       "sustains runs_into run_into "
                       "sustained achieves achieved achieving touches touching"},
        {LINT_SCALE, "zoom zoomed zooms zooming magnify magnified magnification unroll unrolls "
                     "unrolled unrolling scale scaled scaling upscale upscaled upscaling upsample "
                     "upsampled upsampling downsample downsampled downsampling pcie enlarge "
                     "enlarged blown oversample oversampled oversampling coarsen coarsened "
                     "coarsening sparsity compression sparse interleave interleaved interleaving "
                     "vectorised vectorized unroll_factor blocking replicate replicated "
                     "replication axis logarithmic tick denominator numerator branching padding "
                     "oversubscribe oversubscribed split splits splitting "
                     "partition partitioned divide divided"},
        {LINT_OTHER,
         "confidence confident interval intervals credible significance significant quantile "
         "percentile probability probable chance odds certain sure level zoom "
         "width height opacity "
         "transparency transparent opaque brightness contrast viewport css font margin scale "
         "scaled readers reader visitors visitor people authors users "
         "respondents students answers "
         "survey votes sparsity sparse density dense zeros nonzeros nonzero "
         "coverage tests lines "
         "comments code commits posts pages prose content traffic_from error errors tolerance "
         "deviation accuracy accurate correct reproducible deterministic static safe true pure "
         "recycled organic cotton dropout rate_of_dropout pruning pruned humidity battery "
         "quality discount tax vat alpha quorum majority agreement agree t_interval grey gray "
         "perplexity company revenue sales market prices rent salary inflation slider survey "
         "population "
         "by_design on_purpose rate_limited warm_up times_out time_out timed_out recall "
         "false_positive "
         "false_positives positive_rate error_rate loss_rate packet_loss "
         "sample_rate sampling_rate learning_rate failure_rate success_rate drop_rate churn "
         "conversion_rate compression_ratio fill_factor load_factor fill_level humaneval mmlu "
         "gsm8k imagenet alert alerts alarm alarms watermark problems our_traffic taken "
         "questions issues bugs reports translated complete finished done written covered"},
        {LINT_FACTOR, "factor factors"},
        {LINT_ABOUT, "about around roughly approximately almost nearly some only just barely "
                     "exactly over under above below than least most up merely even circa ca "
                     "another still now within well"},
        {LINT_LINK, "of the a an its their our this that these those to is was are were by from "
                    "in for on and or as what whose which total full entire whole theoretical "
                    "device data sheet measured available peak hardware memory same "
                    "original old "
                    "previous dense raw achieved achievable possible nominal rated"},
        {LINT_MAGNITUDE, "order_of_magnitude orders_of_magnitude"},
        {LINT_COMPARES,
         "speedier costlier slowly efficiently swiftly cheapest more less larger smaller greater "
         "fewer same highest lowest shortest most least best worst "
         "outperforms outperformed outperform outpaces outpaced outruns surpasses surpassed "
         "overtakes overtake overtook eclipses outclasses dominates unmatched unbeaten "
         "outshines unrivalled loses exceeds exceed matches matched match equals rivals tops "
         "nears trails trail leads defeats bests lags winner "
         "reduces reduced reduce lowers lowered raises raised increases increased increase cuts "
         "boosts boosted hurts hurt degrades degraded saves saved shortens lengthens "
         "drops drop dropped falls fell rises rose suffers suffered collapses collapsed climbs "
         "decreases worsens plummets sinks deteriorates slowed "
         "speeds_up sped_up on_par on_a_par keeps_up_with keep_up_with keeping_up_with "
         "catches_up_with falls_behind fall_behind fell_behind lags_behind lag_behind "
         "leaves_behind pulls_ahead pull_ahead pulled_ahead comes_out_on has_the_edge "
         "runs_rings_around neck_and_neck second_to_none slows_to comes_close_to "
         "come_close_to no_match_for state_of_the level_with record_holder pays_off paid_off "
         "within_noise_of within_the_noise a_dead_heat second_only_to has_the_lead cut "
         "winner advantage lead margin gap difference earlier slow poor excellent disappointing "
         "terrible beats defeat defeats comes_close "
         "superior inferior ranks tied ties compete helps help benefits profits speedup speedups "
         "gain win "
         "regression crawls suffers dominates "
         "above below alike equally_well caught_up_with takes_the_lead "
         "stands_no_chance hard_to_beat upper_hand holds_its_own takes_the_crown grows shrinks "
         "shorten raise lower crushes crushed smokes smoked trounces trounced thrashes thrashed "
         "demolishes demolished destroys destroyed obliterates obliterated annihilates "
         "annihilated edges edged bested humbles embarrasses buries dwarfs dwarfed outdoes "
         "outstrips outclassed outrun outdo outstrip outpace surpass helped hurts hurt tanks "
         "tanked kills killed ruins wrecks trims slashes slashed cripples sluggish snappy "
         "snappier poorer in_the_dust by_a_mile hands_down runs_circles_around a_cut_above "
         "come_out_ahead comes_out_ahead came_out_ahead falls_short_of fell_short_of "
         "lags_far_behind catches_up_with catch_up_with caught_up_with catch_up_to "
         "catches_up_to keep_pace_with keeps_pace_with kept_pace_with keeps_pace keep_pace "
         "makes_short_work pulls_away wipes_the_floor performs_poorly performs_badly "
         "scales_poorly scales_badly trades trade traded sacrifices sacrifice leaner busier laggy "
         "instant "
         "instantaneous plummeted cratered soars soared regressed plateaus plateaued stagnates "
         "spiked spikes disappeared vanished explodes exploded degraded suffered pessimization "
         "boost penalty overhead cost impact benefit latency through_the_roof comes_near come_near "
         "adds add added "
         "speed_up slow_down "
         "slows_down slowed_down similar comparable equal "
         "identical immediately instantly competitive free "
         "cheap extra expensive pays_for_itself blew_away "
         "blows_away falls_apart "
         "fell_apart came_out_on come_out_on gets_close_to get_close_to got_close_to losing "
         "improvement improvements slowdown slowdowns benefit"},
};

const struct lint_group *lint_english(size_t *n)
{
	*n = ARRAY_LEN(groups);
	return groups;
}
