// A newer run that was disturbed: marked as unsteady, refused under --strict.
import { RUN_C, caseOfPost } from "../site.mjs";
import { mark } from "../expect.mjs";

const run = (name, options) => ({
  name,
  expect: mark("unsteady", "steady"),
  apply(m) {
    m.repo.addRun(RUN_C, m.repo.measured(), options);
    m.repo.commit();
  },
});

// The launches of the post's case changed where `where` says.
const some = (name, where, change) =>
  run(name, { launch: (l) => (l.case === caseOfPost && where(l.i) ? change(l) : l) });
const every = () => true;
const one = (i) => i === 6;

// Every sample times a factor that depends on its place.
function reshape(l, factor) {
  const n = l.above_base_ns.length;
  const ns = l.above_base_ns.map((x, k) => Math.round((l.base_ns + x) * factor(k, n)));
  const base = Math.min(...ns);
  return { ...l, base_ns: base, above_base_ns: ns.map((x) => x - base) };
}
const throttle = (bits) => (l) => ({ ...l, throttle_reasons: bits });
const clock = (mhz) => (l) => ({ ...l, sm_clock_mhz: [mhz, mhz, mhz] });
const stopped = (status) => (l) => {
  const { stop, ...rest } = l;
  void stop;
  return { ...rest, status, base_ns: 0, above_base_ns: [] };
};

export default [
  ...[1, 2, 3, 5, 9].map((count) => run(`${count} launches`, { count })),
  some("hardware slowdown", every, throttle(0x08)),
  some("hardware slowdown in one launch", one, throttle(0x08)),
  some("too hot, says the software", every, throttle(0x20)),
  some("too hot, says the hardware", one, throttle(0x40)),
  some("power brake", one, throttle(0x80)),
  some("power brake and power cap", one, throttle(0x84)),
  some("nobody read whether it was throttled", every, (l) => {
    const { throttle_reasons, ...rest } = l;
    void throttle_reasons;
    return rest;
  }),
  some("nobody read it in one launch", one, (l) => {
    const { throttle_reasons, ...rest } = l;
    void throttle_reasons;
    return rest;
  }),
  some("a slower clock in half of the launches", (i) => i % 2, clock(1755)),
  some("a faster clock in three launches", every, (l) => clock(l.i < 3 ? 1980 : 1755)(l)),
  ...[1.07, 1.1, 1.3].map((f) =>
    some(`every second launch ${f} times as long`, (i) => i % 2, (l) => reshape(l, () => f)),
  ),
  some("one launch that took twice as long", one, (l) => reshape(l, () => 2)),
  some("time that rises within each launch", every, (l) => reshape(l, (k, n) => 1 + (0.1 * k) / n)),
  some("time that falls within each launch", every, (l) => reshape(l, (k, n) => 1.2 - (0.2 * k) / n)),
  some("two humps", every, (l) => reshape(l, (k) => (k % 2 ? 1.1 : 1))),
  some("two humps, one smaller", every, (l) => reshape(l, (k) => (k % 3 ? 1.1 : 1))),
  some("one launch crashed", one, stopped("signal:11")),
  some("one launch timed out", one, stopped("timeout")),
  run("a stopwatch that ticks too slowly", { head: (h) => ({ ...h, calibration: { ...h.calibration, tick_ns: 1e6 } }) }),
];
