const IDLE_MS = 60_000;
const ACTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

let actedAtMs = performance.now();
for (const act of ACTS) {
  globalThis.window?.addEventListener(act, () => (actedAtMs = performance.now()), { capture: true, passive: true });
}

/** Whether nobody has touched the page for a while: what it reads then, it reads by itself, and that keeps no session open. */
export function isIdle(): boolean {
  return performance.now() - actedAtMs > IDLE_MS;
}
