const IDLE_MS = 60_000;
const ACTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

let actedAtMs = performance.now();
for (const act of ACTS) {
  globalThis.window?.addEventListener(act, () => (actedAtMs = performance.now()), { capture: true, passive: true });
}

/** Whether nobody has used the page for a while: its requests then do not keep a session open. */
export function isIdle(): boolean {
  return performance.now() - actedAtMs > IDLE_MS;
}
