/*
 * To add a word, add a row here in the order of the keys, and its translations to
 * templates/words.lua; a test requires each. The code that uses a word fills in {1}
 * and {2}.
 */
#include "site-gen/lua/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

static const struct words_row rows[] = {
        {"across_none", "one of the two has no such number"},
        {"across_one",
         "Unpaired ratios, {1}: they compare what was measured, not the kinds of device."},
        {"across_ratio", "{1} over {2}"},
        {"again_moved", "Commit {1}, at which the record says that it was measured, has no {2}: "
                        "the commands below "
                        "check out the first commit that has it."},
        {"again_nowhere",
         "Commit {1}, at which the record says that it was measured, has no {2}, and neither has "
         "any other commit of this repository: it cannot be measured again from here."},
        {"also_on", "Also measured on"},
        {"attained", "attained bandwidth"},
        {"axis_intensity", "Arithmetic intensity, FLOP/B"},
        {"axis_working_set", "Working set"},
        {"board_best", "Best"},
        {"board_case", "Family, case"},
        {"board_eager", "× PyTorch"},
        {"board_faster", "{1} against {2}: times as fast"},
        {"board_library", "× best library"},
        {"board_no_case", "no headline case"},
        {"board_no_roof", "no bandwidth roof"},
        {"board_note",
         "Each ratio says how many times as fast our best kernel is on the same case. – means not "
         "measured, or no such function. Steps: own kernels dark, the best orange, libraries grey. "
         "The line beside them is the best value after each run."},
        {"board_post", "Post"},
        {"board_roof", "0 to"},
        {"board_share", "of data sheet"},
        {"board_steps", "Steps, history"},
        {"board_tick", "best library"},
        {"bracket_close", ")"},
        {"bracket_open", " ("},
        {"bytes_moved", "Bytes moved"},
        {"callout_aside", "Aside"},
        {"callout_caution", "Caution"},
        {"callout_highlights", "Highlights"},
        {"callout_important", "Important"},
        {"callout_note", "Note"},
        {"callout_tip", "Tip"},
        {"callout_warning", "Warning"},
        {"caption_no", "{1}:"},
        {"cards_caption",
         "Between cards of one kind: cases that several cards ran in the same machine code"},
        {"cards_median", "Standard deviation between cards, median"},
        {"cards_none", "No two cards of this device have run the same machine code yet."},
        {"cards_p90", "90 of 100 less than"},
        {"ceilings", "Ceilings"},
        {"change_on", "{1} on {2}"},
        {"change_over", "{1} over {2}"},
        {"citation_back", "Back to citation {1}"},
        {"cited_as", "Cited, {1}"},
        {"cited_of", "Cited, {1} of {2}"},
        {"claim_decided", "Decided by the measurements: "},
        {"code_note", "Note {1}"},
        {"code_note_back", "Back to the line of note {1}"},
        {"colon", ": "},
        {"comma", ", "},
        {"comparison_against", "{1} against {2}"},
        {"comparison_between", ", "},
        {"comparison_case", "Case"},
        {"comparison_cases", "{1} cases"},
        {"comparison_change", "time {1} to {2}" NBSP "%"},
        {"comparison_choice", "It chose {2}, before {1}."},
        {"comparison_colon", ": "},
        {"comparison_count", "{1} {2}"},
        {"comparison_equivalent", "equivalent"},
        {"comparison_families", "{1} families"},
        {"comparison_faster", "faster"},
        {"comparison_method",
         "Processes of two runs cannot be paired, so the interval is that of Welch's t on their "
         "logarithms. A case within the band of equivalence is called equivalent. A case is called "
         "faster or slower only if the Benjamini-Hochberg procedure confirms it."},
        {"comparison_now", "Now"},
        {"comparison_on", "{1} on {2}"},
        {"comparison_runs", "Runs"},
        {"comparison_same", "The equivalent cases"},
        {"comparison_slower", "slower"},
        {"comparison_stop", "."},
        {"comparison_text", "What run {1} measured, against run {2}."},
        {"comparison_then", "Then"},
        {"comparison_title", "{1}: {2}"},
        {"comparison_undecided", "undecided"},
        {"comparison_verdict", "Verdict"},
        {"counter_gave_none", "{1} gave no {2}"},
        {"counter_one_call", "one call, not timed"},
        {"counter_refused", "the profiler's quotient is above its maximum: it divides counters of "
                            "different runs of the call, which were too short to agree"},
        {"counter_said", "{1} says: {2}"},
        {"counter_stall", "Main stall reason of the warps"},
        {"counters", "hardware counters"},
        {"counters_earlier_build", "these counters come from an earlier build of this variant"},
        {"counters_later_build", "these counters come from a later build of this variant"},
        {"counters_none", "no counters of this case are recorded"},
        {"datasheet", "Data sheet, theoretical:"},
        {"date_long", "{d} {month} {y}"},
        {"date_short", "{d} {mon} {y}"},
        {"derived", "Derived, not measured:"},
        {"diagram_access", "one access of a warp, {1}"},
        {"diagram_as_long_as", "as long as a whole step of “{1}”"},
        {"diagram_bank", "bank"},
        {"diagram_banks_across", "32 banks →"},
        {"diagram_clock", "clock of each call, from its time and the mean cycles of a call; a line "
                          "for each process"},
        {"diagram_column", "column 0"},
        {"diagram_column_passes", "Passes to read a column"},
        {"diagram_column_read", "passes to read a column: {1}"},
        {"diagram_conflicts", "Passes of the banks: {1}, where {2} would do. Conflicts: {3}."},
        {"diagram_conflicts_counted", "Conflicts counted"},
        {"diagram_counted_conflicts", " Counted: {1} conflicts in {2} accesses ({3})."},
        {"diagram_counted_sectors", " Counted: {1} for each access ({2})."},
        {"diagram_from_to", "from {1} to {2}: {3}"},
        {"diagram_groups", "every second group of 4 columns"},
        {"diagram_lane", "lane"},
        {"diagram_lane_and_line", "lane, and its line"},
        {"diagram_layout", "Layout"},
        {"diagram_layout_says", "{1}: passes to read a column {2}, to write a row {3}"},
        {"diagram_line", "memory"},
        {"diagram_lines", "Lines of 128 bytes touched: {1}. Of {2} moved, {3} are used: {4}."},
        {"diagram_map", "{1}: widths are to scale, as measured."},
        {"diagram_no_conflict", "Passes of the banks: {1}, the fewest possible. Conflicts: {3}."},
        {"diagram_not_to_scale", "not to scale"},
        {"diagram_pass", "pass {1}"},
        {"diagram_rest_of_step", "the rest of the step"},
        {"diagram_roles", "Roles: {1}."},
        {"diagram_roles_and_links", "Roles: {1}. Barriers: {2}."},
        {"diagram_row", "row 0"},
        {"diagram_row_passes", "Passes to write a row"},
        {"diagram_row_written", "passes to write a row: {1}"},
        {"diagram_samples", "while samples were taken"},
        {"diagram_schema", "Schematic: roles and barriers, times not to scale."},
        {"diagram_schema_of",
         "{1}, schematic: roles and barriers as in the source, times not to scale."},
        {"diagram_sectors", "Sectors of 32 bytes touched: {1}. Of {2} moved, {3} are used: {4}."},
        {"diagram_served", "served without waiting"},
        {"diagram_tile_about",
         "A tile of {1} × {2} elements of {3} bytes in shared memory: the bank of each element."},
        {"diagram_time", "time →"},
        {"diagram_timeline", "steps one after the other, to scale"},
        {"diagram_untouched", "not moved"},
        {"diagram_unwanted", "moved, not wanted"},
        {"diagram_waits", "waits for another lane"},
        {"diagram_wanted", "wanted"},
        {"diagram_warm_up", "the warm-up's first calls"},
        {"equation_n", "Equation ({1})"},
        {"exact_values", "Exact values"},
        {"fact_cores", "{1}, {2} cores"},
        {"fact_gpus", "{1}, each pair joined by {2} NVLink lanes"},
        {"fact_limit", "{1} (limit {2})"},
        {"fact_order", ", {1}, seed {2}"},
        {"fact_plan", "{1} processes of {2} cases"},
        {"fact_run", "Run"},
        {"family_again", "Measure it again"},
        {"family_best", "The best kernel on each device"},
        {"family_build", "At most {1} registers, {2}"},
        {"family_checked", "Checked against"},
        {"family_choice", "Chosen by trying, at {1}: {2}"},
        {"family_counted", "Work that is counted"},
        {"family_counters", "What the counters say"},
        {"family_devices", "On this page:"},
        {"family_input", "Input"},
        {"family_model", "Cost model"},
        {"family_no_counters", "No hardware counters are recorded on {1}."},
        {"family_not_on", "Not measured on {1}."},
        {"family_shared", "{1}" NBSP "B of shared memory, {2}" NBSP
                          "B spilled: the largest of the kernels in its file."},
        {"family_variants", "The variants"},
        {"family_ways", "{1}: other inputs and loads"},
        {"figure_csv", "Numbers of this figure as CSV"},
        {"figure_n", "Figure {1}"},
        {"footnote", "Footnote {1}"},
        {"footnote_back", "Back to reference {1}"},
        {"footnotes", "Footnotes"},
        {"formula", "Formula"},
        {"goal_met", "met"},
        {"goal_missed", "missed"},
        {"goal_open", "open"},
        {"head_between", "Between processes"},
        {"head_case", "Case"},
        {"head_interval", "95" NBSP "% interval"},
        {"head_launches", "Processes"},
        {"head_launches_samples", "Processes × samples"},
        {"head_samples", "Samples, 5–95" NBSP "%"},
        {"head_time_interval", "Time, 95" NBSP "%"},
        {"head_typical", "Typical time"},
        {"head_variant", "Variant"},
        {"ladder_against", "against {1}"},
        {"ladder_bar", "Bar"},
        {"ladder_best", "best measured"},
        {"ladder_best_copy", "best measured copy"},
        {"ladder_best_read", "best measured read"},
        {"ladder_best_write", "best measured write"},
        {"ladder_ceiling", "{1}, the measured ceiling of this device"},
        {"ladder_control", "control"},
        {"ladder_gain", "× best step before"},
        {"ladder_libraries", "libraries"},
        {"ladder_library", "library"},
        {"ladder_limit", "ceiling"},
        {"ladder_of_measured", "% of best measured"},
        {"ladder_of_spec", "% of data sheet"},
        {"ladder_other_run", "the steps above were measured in another run"},
        {"ladder_own", "our kernels"},
        {"ladder_own_best", "the fastest of them"},
        {"ladder_roof", "{1}, the fastest on this device with a similar mix of reads and writes"},
        {"ladder_sheet", "data sheet"},
        {"ladder_step", "Step"},
        {"large_counts", "1000000 million 1000000000 billion"}, /* in ascending order */
        {"ledger_above_below", "{1} measured above the interval, {2} below"},
        {"ledger_all", "All predictions, by kernel"},
        {"ledger_amended", "{1} amended"},
        {"ledger_brier", "Brier score (0 is perfect; a coin is 0.25)"},
        {"ledger_caption", "All predictions, misses first"},
        {"ledger_caption_of", "Predictions of the series {1}, misses first"},
        {"ledger_curve", "Stated confidence (across) against the share that held (up)"},
        {"ledger_curve_label",
         "Stated confidence against the share that held: on the dashed line an author knows how "
         "sure to be"},
        {"ledger_empty", "Nothing has been predicted yet."},
        {"ledger_errors", "Misses"},
        {"ledger_families", "By kernel"},
        {"ledger_held", "{1} held"},
        {"ledger_held_of", "Held"},
        {"ledger_intervals", "Predicted ranges that held"},
        {"ledger_intro",
         "Expectations about kernels, written and committed before the run that tests them. Misses "
         "come first, because they teach most. The history proves the order: only a prediction "
         "that it shows to be older than its run is scored."},
        {"ledger_limiters", "Limits named correctly"},
        {"ledger_missed", "{1} missed"},
        {"ledger_misses", "The misses"},
        {"ledger_not_foretold", "{1} not foretold"},
        {"ledger_of", "{1} of {2}"},
        {"ledger_squares", "Each square is a prediction, in the order they were made."},
        {"ledger_stated", "Stated confidence, mean"},
        {"ledger_sure", "Confidence"},
        {"ledger_undecided", "{1} undecided"},
        {"ledger_untested", "{1} untested"},
        {"limiter_compute", "arithmetic"},
        {"limiter_latency", "latency"},
        {"limiter_launch", "the launch"},
        {"limiter_memory", "memory"},
        {"limiter_open", "unknown"},
        {"link_to_section", "Link to this section: {1}"},
        {"listing_against", "Changes from {1}:"},
        {"listing_changed",
         "This file has changed since the measurement; this is the measured version."},
        {"listing_commit", "at {1}"},
        {"listing_measured", "Source, as measured:"},
        {"listing_source", "Source"},
        {"many_families", "Several kernel families"},
        {"metric_of", "{1} of {2}"},
        {"month_01", "January"},
        {"month_02", "February"},
        {"month_03", "March"},
        {"month_04", "April"},
        {"month_05", "May"},
        {"month_06", "June"},
        {"month_07", "July"},
        {"month_08", "August"},
        {"month_09", "September"},
        {"month_10", "October"},
        {"month_11", "November"},
        {"month_12", "December"},
        {"none_cards", "measured on {1} of the {2} cards that a value over cards needs"},
        {"none_measured", "not measured"},
        {"none_metric", "has no such metric"},
        {"nulls_caption", "Null controls: cases measured twice in the same processes"},
        {"nulls_interval", "95 % interval"},
        {"nulls_none", "No run of this device has null controls yet."},
        {"nulls_ratio", "Ratio of times, distance from 1"},
        {"number_cards", "over {1} cards"},
        {"number_cards_both", "over {1} and {2} cards"},
        {"number_interval", "95" NBSP "% interval {1}"},
        {"number_launches", "{1} processes"},
        {"number_launches_both", "{1} and {2} processes"},
        {"number_one_card", "one card each"},
        {"number_one_machine", "one machine each"},
        {"number_power", "power-limited in {1} of {2} processes"},
        {"older_block", "The original has changed here"},
        {"over_cards", "{1} over cards"},
        {"plot_exact", "The table of exact values follows."},
        {"plot_over", "{1} over {2}"},
        {"points", "points"},
        {"posts_about", "Posts about {1}"},
        {"prediction", "Prediction"},
        {"prediction_all", "Its page: every test and all details"},
        {"prediction_and", "; "},
        {"prediction_at_least", "at least {1}"},
        {"prediction_at_most", "at most {1}"},
        {"prediction_between", "{1} to {2}"},
        {"prediction_case", "Case"},
        {"prediction_confidence", "Confidence"},
        {"prediction_decides", "this one counts"},
        {"prediction_drawing",
         "The predicted range and the measurements, on a scale from {1} to {2}"},
        {"prediction_limited", "limited by {1}"},
        {"prediction_limiter", "Limited by"},
        {"prediction_measured", "Measured"},
        {"prediction_of_peak", " of the theoretical peak ({1})"},
        {"prediction_over", " over {1}"},
        {"prediction_predicted", "Predicted"},
        {"prediction_proof", "How the history shows that it came first"},
        {"prediction_reasoning", "The reasoning, as written before the run"},
        {"prediction_run", "Run"},
        {"prediction_tests", "Every run that tested it"},
        {"prediction_verdict", "Verdict"},
        {"prediction_worst", " (the worst of {1} cases)"},
        {"predictions", "Predictions"},
        {"proof_added", "Commit {1} registered it on {2}."},
        {"proof_changed", "Commit {1} last changed its text, on {2}."},
        {"proof_git", "The order comes from ancestry, not from dates. It is as strong as the "
                      "published history: nobody can change it without changing every later "
                      "commit."},
        {"proof_none", "This text is not committed, so nothing proves yet when it was written."},
        {"proof_run_after", "Run {1} was measured at commit {2}, which does not contain this "
                            "prediction, so its result could already be known."},
        {"proof_run_before",
         "Run {1} was measured at commit {2}, which contains the prediction word for word."},
        {"proof_run_other",
         "Run {1} was measured at commit {2}, which contains another text of the prediction."},
        {"proof_stamp", "An external time stamp, {1}, is beside the file. It proves the date to "
                        "readers who trust the authority that issued it, whatever happens to this "
                        "repository. It is not checked here."},
        {"proof_tag", "The annotated tag {1} of {2} was set on this text before the run. It is "
                      "not signed, so it adds only the tagger's word."},
        {"proof_tag_signed", "The annotated tag {1} of {2} was set on this text before the run and "
                             "is signed: readers who trust that key need not trust the history. "
                             "“git tag -v” shows whose key it is and whether it is valid."},
        {"range", "{1} to {2}"},
        {"ratio_of", ", ratio of {1}"},
        {"ratio_open", ", no difference shown"},
        {"ratio_paired", "{1} over {2}, paired by process"},
        {"ratio_two_devices", "{1} over {2}, unpaired: no process ran both"},
        {"ratio_two_runs", "{1} over {2}, from two runs"},
        {"references", "References"},
        {"roof_measured", "{1} best measured"},
        {"roof_ridge", "ridge {1}"},
        {"roof_theoretical", "{1} data sheet"},
        {"roofline", "roofline"},
        {"roofline_counted", "roofline, over the counted DRAM traffic"},
        {"run_of", "run of {1}"},
        {"said_faster", "faster"},
        {"said_no_difference", "no difference seen"},
        {"said_opens", "Opens every sample, the source and the history"},
        {"said_ratio", "{1} the {2} of {3}"},
        {"said_share_measured", "{1} of the {2} of {3}, measured"},
        {"said_share_spec", "{1} of {2}, data sheet ({3})"},
        {"said_slower", "slower"},
        {"said_strip", "A dot for each process; the band is the 95" NBSP "% interval"},
        {"said_strip_cards", "A dot for each card; the band is the 95" NBSP "% interval"},
        {"samples_caption", "median time of each process"},
        {"selftest_axis_different", "Called different, %"},
        {"selftest_axis_planted", "Planted difference, %"},
        {"selftest_axis_ratio", "Ratio of times"},
        {"selftest_axis_sorted", "Comparisons of equal code, sorted"},
        {"selftest_band", "band of equivalence"},
        {"selftest_cards", "Equal code on two cards, one run each"},
        {"selftest_comparisons", "Comparisons"},
        {"selftest_covered", "Intervals that contain the truth"},
        {"selftest_equal", "none"},
        {"selftest_goal", "Goal"},
        {"selftest_goal_alarms",
         "Equal code is called faster or slower in at most {2} of comparisons"},
        {"selftest_goal_covered",
         "{1} to {2} of the intervals of equal code contain 1, over all exchanges of the two sides "
         "within its processes"},
        {"selftest_goal_measured", "Measured"},
        {"selftest_goal_power",
         "A planted difference of {2} is called slower in at least {1} of comparisons"},
        {"selftest_goal_verdict", "Verdict"},
        {"selftest_interval", "Interval without 1"},
        {"selftest_intervals", "Equal code against itself: each comparison's ratio with its "
                               "interval. Hollow: the interval does not contain 1, a false alarm"},
        {"selftest_mann_whitney", "Mann-Whitney, one process"},
        {"selftest_none", "No run of the instrument's own test is committed yet; runner selftest "
                          "--out data/runs makes one."},
        {"selftest_nvbench", "nvbench's rule, one process"},
        {"selftest_planted", "Planted"},
        {"selftest_power", "How often each rule calls two sides different, over the planted "
                           "difference; without a difference it is a false alarm"},
        {"selftest_ratio", "ratio"},
        {"selftest_short_interval", "Interval alone"},
        {"selftest_short_mann_whitney", "Mann-Whitney"},
        {"selftest_short_nvbench", "nvbench's rule"},
        {"selftest_short_verdict", "Verdict"},
        {"selftest_table_says", "The table below has the numbers."},
        {"selftest_verdict", "Called faster or slower"},
        {"selftest_width", "Half-width, mean"},
        {"semicolon", "; "},
        {"share_measured", "{1}, share of the measured {2}"},
        {"share_spec", "{1}, share of the theoretical {2}"},
        {"spec_of", "{1} of the {2}"},
        {"spread_all", "all families"},
        {"spread_caption",
         "Runs of the same code, each against the previous one: how far a case moved"},
        {"spread_changes", "Changes"},
        {"spread_family", "Family"},
        {"spread_median", "Moved, median"},
        {"spread_none", "No code has been measured twice yet."},
        {"spread_outside", "Interval without 1"},
        {"spread_p90", "Moved, 90 of 100 less than"},
        {"spread_within", "Half-width within a run, median"},
        {"state_ok", "steady"},
        {"state_preview", "preview"},
        {"state_same-code", "same machine code"},
        {"state_stale", "code changed since"},
        {"state_superseded", "older run"},
        {"state_unsteady", "noisy"},
        {"state_withdrawn", "withdrawn"},
        {"states_all", "All numbers here"},
        {"states_here", "States on this page"},
        {"stop", "."},
        {"stop_next", ". "},
        {"strip_medians", "Medians of {1} processes: {2}" NBSP "% of the typical time"},
        {"table", "Table"},
        {"table_n", "Table {1}"},
        {"table_of", "Table: {1}"},
        {"table_under", "{1} ({2})"},
        {"task_matrix", "matrix"},
        {"task_move", "move"},
        {"task_reduce", "reduce"},
        {"task_rows", "rows"},
        {"task_sync", "sync"},
        {"verdict_amended", "amended"},
        {"verdict_held", "held"},
        {"verdict_missed", "missed"},
        {"verdict_not_foretold", "not foretold"},
        {"verdict_too_high", "{1} too high"},
        {"verdict_too_low", "{1} too low"},
        {"verdict_undecided", "undecided"},
        {"verdict_untested", "untested"},
        {"way_input_full", "full mantissas"},
        {"way_input_normal", "normal input"},
        {"way_input_zeros", "all zeros"},
        {"way_load_steady", "steady load"},
        {"way_load_sustained", "sustained load"},
        {"way_side_host", "seen from the host"},
        {"why_aside", "the measured commit {1} is not in the history of HEAD"},
        {"why_blob_absent", "it names {1} as blob {2}, which its commit {3} does not have"},
        {"why_blob_other", "it names {1} as blob {2}, which its commit {3} has as another"},
        {"why_changed", "{1} has changed since"},
        {"why_changed_same", "{1} has changed since, but its machine code has not ({2})"},
        {"why_clock_off", "the SM clock was off by more than {3} % in {1} of {2} processes"},
        {"why_clock_slowed", "the clock was slowed down in {1} of {2} processes"},
        {"why_clock_unread",
         "whether the clock was slowed down was not read in {1} of {2} processes"},
        {"why_coarse",
         "samples were shorter than 100 ticks of the stopwatch in {1} of {2} processes"},
        {"why_code_of", "it is the machine code of {1} under another name"},
        {"why_cold", "impossible: it is cold, and its bytes come from '{1}'"},
        {"why_contradiction", "its run file contradicts itself: {1}"},
        {"why_dirty", "measured from sources that were not committed"},
        {"why_drift", "the time drifted by more than {3} % in {1} of {2} processes"},
        {"why_early", "it began on {1}, before the commit {2} that it measured"},
        {"why_failed", "{1} of {2} processes failed ({3})"},
        {"why_few", "{1} processes, at least {2} are needed"},
        {"why_file_broken", "its run file is not whole: {1}"},
        {"why_flags", "the compile flags have changed ({1} was measured, {2} is at HEAD)"},
        {"why_gone", "{1} is not in HEAD"},
        {"why_gone_same", "{1} is not in HEAD, but its machine code has not ({2})"},
        {"why_humps", "the samples had two humps in {1} of {2} processes"},
        {"why_interrupted", "its run was interrupted: of {1} processes {2} are whole, and {3} are "
                            "needed, and half of them"},
        {"why_late", "it began on {1}, after commit {2} had recorded it"},
        {"why_no_commit",
         "the measured commit {1} is not in this clone (if it is shallow: git fetch --unshallow)"},
        {"why_no_git", "measured outside a git checkout"},
        {"why_no_processes", "it has no processes"},
        {"why_no_repository", "there is no git repository to hold its run file"},
        {"why_no_source", "it names no source, so nothing says what was measured"},
        {"why_none_good", "none of its {1} processes succeeded ({2})"},
        {"why_not_measured", "not measured: {1}"},
        {"why_over_peak", "impossible: its {1} is {2} % of the theoretical peak ({3})"},
        {"why_replication", "it is a replication of run {1}"},
        {"why_shard", "it is a shard of a plan: 'runner collect' makes the record"},
        {"why_shards", "processes of its shards are missing: measure them with 'runner run "
                       "--plan', and collect again"},
        {"why_superseded", "run {1} measured it again"},
        {"why_taken_back", "taken back on {1}"},
        {"why_two_speeds", "its processes have two speeds: {1} took the faster, {2} the slower"},
        {"why_uncommitted", "its run file is not committed yet"},
        {"why_unknown", "its '{1}' is '{2}', which this program does not know, so nothing holds it "
                        "to what is possible"},
        {"why_wide", "the 95 % interval is ±{1} %, at most ±{2} % is steady"},
        {"why_wrong", "its results were wrong in {1} of {2} processes"},
        {"widths_caption", "Cases of at most 1 ms, each in its newest run: 95 % intervals, and the "
                           "device time of warm-up and samples"},
        {"widths_cases", "Cases"},
        {"widths_median", "Half-width, median"},
        {"widths_none", "No case of at most 1 ms has been measured twice in a run yet."},
        {"widths_p90", "90 of 100 less than"},
        {"widths_quick", "1 s at most"},
        {"widths_reached", "±0.25 % at most"},
};
enum { NROWS = ARRAY_LEN(rows) };

const struct words_row *words_table(size_t *n)
{
	*n = NROWS;
	return rows;
}

const char *words_english(struct str key)
{
	for (size_t lo = 0, hi = NROWS; lo < hi;) {
		size_t mid = (lo + hi) / 2;
		int d = str_cmp(str_of(rows[mid].key), key);
		if (d == 0)
			return rows[mid].english;
		if (d < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

const char *words_get(const struct words *w, const char *key)
{
	const char *text = NULL;
	if (w && w->config) {
		text = config_word(w->config, w->lang, str_of(key));
		text = text ? text : config_word(w->config, w->config->language, str_of(key));
	}
	text = text ? text : words_english(str_of(key));
	if (text)
		return text;
	fprintf(stderr, "site-gen: no word '%s' in words.c\n", key);
	abort();
}

const char *words_fill_all(const struct words *w, struct arena *a, const char *key,
                           const char *const *with, size_t n)
{
	struct sb b = {0};
	for (const char *p = words_get(w, key); *p;) {
		size_t plain = strcspn(p, "{");
		sb_put(&b, p, plain);
		p += plain;
		size_t i =
		        *p && p[1] >= '1' && p[1] <= '9' && p[2] == '}' ? (size_t)(p[1] - '1') : n;
		const char *fill = i < n ? with[i] : NULL;
		if (fill)
			sb_cstr(&b, fill);
		else if (*p)
			sb_char(&b, *p);
		p += fill ? 3 : *p != 0;
	}
	return sb_take(a, &b);
}

const char *words_fill(const struct words *w, struct arena *a, const char *key, const char *one,
                       const char *two)
{
	return words_fill_all(w, a, key, (const char *const[]){one, two}, 2);
}

const char *words_label(const struct words *w, const char *english)
{
	const char *text = w && w->config ? config_word(w->config, w->lang, str_of(english)) : NULL;
	return text ? text : english;
}

struct words_said words_said(const struct words *w, const char *recorded)
{
	const char *text = words_label(w, recorded);
	return (struct words_said){text, text == recorded ? words_record_lang(w) : ""};
}

const char *words_state(const struct words *w, const char *state)
{
	char key[64];
	snprintf(key, sizeof key, "state_%s", state);
	return words_get(w, key);
}

/* In English the sentences are those of records/data_state.c. */
const char *words_state_text(const struct words *w, const char *state, const char *english)
{
	char key[64];
	bool own = !w || !w->config || strncmp(w->lang, "en", 2) == 0;
	snprintf(key, sizeof key, "state_text_%s", state);
	const char *text = own ? NULL : config_word(w->config, w->lang, str_of(key));
	return text ? text : english;
}

const char *words_record_lang(const struct words *w)
{
	bool english = !w || !w->lang || strncmp(w->lang, "en", 2) == 0;
	return english ? "" : " lang=\"en\"";
}
