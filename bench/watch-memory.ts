/** Measures the process's resident memory while something runs, in MB. */
export function watchMemory(): { stop(): { before: number; peak: number } } {
  const nowMb = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
  const before = nowMb();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, nowMb());
  }, 20);
  return {
    stop() {
      clearInterval(timer);
      return { before, peak };
    },
  };
}
