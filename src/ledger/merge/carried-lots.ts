import type { CustomerRef } from "../customer-ref.ts";
import type { NamedLots } from "../lots/lot-queries.ts";

/** Lots of an allotment after a merge. Points that came back have a part for each lot that they were drawn from, which is carried on its own. */
export interface CarriedLots extends NamedLots {
  /** The allotment that added the points. */
  readonly of: Pick<NamedLots, "customerUid" | "version">;
}

/** Returns the natural key under which a lot of a merged customer was moved to the surviving one. */
export function carriedKey(customerUid: string, version: bigint, part: number): string {
  return `merge/${customerUid}/${version}/${part}`;
}

/** Lots carried by merges, by the allotment that added their points. */
export type CarriedByAllotment = ReadonlyMap<string, readonly CarriedLots[]>;

export function groupCarried(carried: readonly CarriedLots[]): CarriedByAllotment {
  return Map.groupBy(carried, ({ of }) => allotmentName(of));
}

/** Names an allotment, and the lots that it opened, among those of many customers. */
export function allotmentName({ customerUid, version }: CarriedLots["of"]): string {
  return `${customerUid}/${version}`;
}

/** Returns which of a customer's allotments have what is left of an allotment: itself, or those that carried it over. */
export function versionsOf(
  of: CarriedLots["of"],
  { customerUid }: Pick<CustomerRef, "customerUid">,
  carried: CarriedByAllotment,
): readonly bigint[] {
  if (of.customerUid === customerUid) return [of.version];
  return (carried.get(allotmentName(of)) ?? []).flatMap((lots) =>
    lots.customerUid === customerUid ? lots.version : [],
  );
}
