/** Default colours have a contrast of 4.5:1. Every value that a shop may change is a custom property. */
export const STYLE = `
:host { display: block; container-type: inline-size; font: inherit; font-family: var(--pk-font, inherit); color: var(--pk-color, #1f2328); }
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.card { background: var(--pk-background, #fff); border: 1px solid var(--pk-border, #d0d7de); border-radius: var(--pk-radius, 8px);
  padding: var(--pk-space, 16px); line-height: 1.5; overflow-wrap: anywhere; }
.content { display: grid; gap: calc(var(--pk-space, 16px) * 0.75); justify-items: stretch; }
.status:not(:empty) { margin-top: calc(var(--pk-space, 16px) * 0.75); }
h2, h3, p, ul { margin: 0; padding: 0; font-size: 1em; }
h2, h3 { font-weight: 600; }
ul { list-style: none; display: grid; gap: 8px; }
.points { font-size: 2em; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
.muted { color: var(--pk-muted, #57606a); font-size: 0.9em; }
.track { height: 8px; border-radius: 4px; background: var(--pk-border, #d0d7de); overflow: hidden; margin: 6px 0; }
.bar { height: 100%; background: var(--pk-accent, #1d4ed8); transition: width 0.4s; }
.earn { font-weight: 600; color: var(--pk-accent, #1d4ed8); }
.form { display: grid; gap: 6px; }
input { font: inherit; color: inherit; background: var(--pk-background, #fff); border: 1px solid var(--pk-muted, #57606a);
  border-radius: calc(var(--pk-radius, 8px) / 2); padding: 8px 10px; width: 100%; min-height: 44px; }
input[aria-invalid=true] { border-color: var(--pk-error, #b42318); }
button { font: inherit; font-weight: 600; color: var(--pk-accent-text, #fff); background: var(--pk-accent, #1d4ed8); border: 1px solid transparent;
  border-radius: calc(var(--pk-radius, 8px) / 2); padding: 8px 14px; min-height: 44px; cursor: pointer; }
button.quiet { color: var(--pk-accent, #1d4ed8); background: transparent; border-color: currentColor; }
button[aria-disabled=true] { opacity: 0.65; cursor: default; }
:is(button, input):focus-visible { outline: 3px solid var(--pk-focus, var(--pk-accent, #1d4ed8)); outline-offset: 2px; }
.fault { color: var(--pk-error, #b42318); }
.coupon { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; justify-content: space-between; }
.code { font-family: ui-monospace, monospace; font-weight: 700; user-select: all; }
.wait { height: 2em; border-radius: 4px; background: var(--pk-border, #d0d7de); animation: pulse 1.2s ease-in-out infinite alternate; }
@keyframes pulse { to { opacity: 0.4; } }
@media (prefers-reduced-motion: reduce) { .wait { animation: none; } .bar { transition: none; } }
@media (forced-colors: active) { .bar { background: Highlight; } .track { border: 1px solid CanvasText; } }
`;
