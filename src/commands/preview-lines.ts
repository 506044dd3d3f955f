import type { TierMover, TierPreview } from "../tiers/tier-preview.ts";
import { countText, tableLines } from "./output.ts";

/** Returns a dry run's lines about tiers: counts by tier, then who would move at once and at the next check. */
export function previewLines(preview: TierPreview & { readonly storefrontIds: ReadonlyMap<string, string> }): string[] {
  const nextCheck = preview.nextCheckAt.toString();
  const columns = ["tier", "customers", "after this", `next check ${nextCheck}, by the spend so far`];
  const rows = preview.tiers.map(({ name, present, now, atCheck }) => [name, `${present}`, `${now}`, `${atCheck}`]);
  const idOf = ({ customerUid }: TierMover) => preview.storefrontIds.get(customerUid) ?? customerUid;
  return [
    ...tableLines(columns, rows, { header: "always" }),
    ...moverLines("would move at once", preview.now, idOf),
    ...moverLines(`would be moved by the change at the next check, ${nextCheck}`, preview.atCheck, idOf),
  ];
}

function moverLines(what: string, { count, first }: TierPreview["now"], idOf: (mover: TierMover) => string): string[] {
  const rows = first.map((mover) => [`  ${idOf(mover)}`, `${mover.from} -> ${mover.to}`, `spent ${mover.spent}`]);
  const rest = count > first.length ? [`  and ${count - first.length} more`] : [];
  return [
    `${countText(count, "customer")} ${what}${count === 0 ? "." : ":"}`,
    ...tableLines(["customer", "tiers", "spend"], rows, { header: "none" }),
    ...rest,
  ];
}
