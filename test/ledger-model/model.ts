/**
 * A small ledger of one customer, written from program.md 3 and 5 alone: it imports nothing of the service and does
 * everything the slow and obvious way.
 */
export interface ModelRules {
  delayMonths: number | null;
  mode: "sliding" | "per_allotment";
  timeZone: string;
  returnedDays: number;
}

export interface ModelLot {
  version: number;
  part: number;
  left: bigint;
  ownDate: Temporal.Instant | null;
  since: Temporal.Instant;
  extends: boolean;
}

export interface ModelAllotment {
  version: number;
  value: bigint;
  after: bigint;
  at: Temporal.Instant;
  type: string;
}

export type ModelOp =
  | {
      kind: "add";
      value: bigint;
      cap: boolean;
      extends: boolean;
      ownDays: number | null;
      drawFirst: number | null;
      /** How long before they are posted the points were earned. */
      earnedDaysAgo?: number | null;
    }
  | { kind: "set"; balance: bigint }
  | { kind: "give_back"; pick: number; share: number };

export type ModelAnswer = { kind: "posted"; value: bigint } | { kind: "refused" } | { kind: "nothing" };

export class ModelCustomer {
  readonly allotments: ModelAllotment[] = [];
  readonly lots: ModelLot[] = [];
  readonly draws = new Map<number, { lot: ModelLot; points: bigint }[]>();
  readonly returned = new Map<number, bigint>();
  activeAt: Temporal.Instant | null = null;
  readonly rules: ModelRules;

  constructor(rules: ModelRules) {
    this.rules = rules;
  }

  balance(): bigint {
    return this.allotments.reduce((sum, allotment) => sum + allotment.value, 0n);
  }

  /** The date from which a lot's points are gone. */
  expiry(lot: ModelLot): Temporal.Instant | null {
    const date = lot.ownDate ?? this.defaultDate(lot);
    return date === null ? null : nextMidnight(date, this.rules.timeZone);
  }

  defaultDate(lot: ModelLot): Temporal.Instant | null {
    if (this.rules.delayMonths === null) return null;
    const slid =
      this.rules.mode === "sliding" && this.activeAt !== null && Temporal.Instant.compare(this.activeAt, lot.since) > 0;
    const start = slid && this.activeAt !== null ? this.activeAt : lot.since;
    return start.toZonedDateTimeISO(this.rules.timeZone).add({ months: this.rules.delayMonths }).toInstant();
  }

  expiresAt(): Temporal.Instant | null {
    const dates = this.lots.filter((lot) => lot.left > 0n).map((lot) => this.expiry(lot));
    return dates.reduce((a, b) => (a === null || (b !== null && Temporal.Instant.compare(b, a) < 0) ? b : a), null);
  }

  expire(now: Temporal.Instant): void {
    const due = this.lots.filter((lot) => {
      const at = this.expiry(lot);
      return lot.left > 0n && at !== null && Temporal.Instant.compare(at, now) <= 0;
    });
    const sum = due.reduce((total, lot) => total + lot.left, 0n);
    if (sum > 0n) this.post(-sum, "expiration", now, null);
  }

  apply(op: ModelOp, now: Temporal.Instant): ModelAnswer {
    const balance = this.balance();
    if (op.kind === "set") {
      this.post(op.balance - balance, "api", now, op.balance > balance ? { extends: true, ownDate: null } : null);
      return { kind: "posted", value: op.balance - balance };
    }
    if (op.kind === "give_back") return this.giveBack(op, now);
    let value = op.value;
    if (balance + value < 0n) {
      if (!op.cap) return { kind: "refused" };
      value = -balance;
    }
    if (value === 0n) return { kind: "nothing" };
    const ownDate = op.ownDays === null ? null : now.add({ hours: 24 * op.ownDays });
    const ago = this.rules.mode === "per_allotment" && value > 0n ? (op.earnedDaysAgo ?? null) : null;
    const earned = ago === null ? null : now.subtract({ hours: 24 * ago });
    this.post(value, "api", now, value > 0n ? { extends: op.extends, ownDate, earned } : null, op.drawFirst);
    return { kind: "posted", value };
  }

  /** What `give_back` means at this moment: which deduction, how many came back before, how many now. */
  returnable(op: { pick: number; share: number }): { version: number; skip: bigint; value: bigint } | null {
    const deductions = [...this.draws.keys()].filter((version) => this.allotments[version - 1]?.type === "api");
    const version = deductions[op.pick % Math.max(1, deductions.length)];
    if (version === undefined) return null;
    const drawn = (this.draws.get(version) ?? []).reduce((sum, draw) => sum + draw.points, 0n);
    const skip = this.returned.get(version) ?? 0n;
    const value = ((drawn - skip) * BigInt(op.share) + 99n) / 100n;
    return value > 0n ? { version, skip, value } : null;
  }

  private giveBack(op: { pick: number; share: number }, now: Temporal.Instant): ModelAnswer {
    const back = this.returnable(op);
    if (back === null) return { kind: "nothing" };
    const units: ModelLot[] = [];
    for (const draw of [...(this.draws.get(back.version) ?? [])].reverse()) {
      for (let i = 0n; i < draw.points; i++) units.push(draw.lot);
    }
    const coming = units.slice(Number(back.skip), Number(back.skip + back.value));
    const at = this.record(back.value, "coupon_reimbursement", now);
    let part = 0;
    for (const lot of new Set(coming)) {
      const expiry = this.expiry(lot);
      const passed = expiry !== null && Temporal.Instant.compare(expiry, now) <= 0;
      this.lots.push({
        version: at.version,
        part: part++,
        left: BigInt(coming.filter((unit) => unit === lot).length),
        ownDate: passed
          ? now.toZonedDateTimeISO(this.rules.timeZone).add({ days: this.rules.returnedDays }).toInstant()
          : lot.ownDate,
        since: lot.since,
        extends: lot.extends,
      });
    }
    this.returned.set(back.version, back.skip + back.value);
    return { kind: "posted", value: back.value };
  }

  private record(value: bigint, type: string, now: Temporal.Instant): ModelAllotment {
    const last = this.allotments.at(-1);
    let at = now;
    if (last !== undefined && Temporal.Instant.compare(last.at, at) >= 0) at = last.at.add({ microseconds: 1 });
    const allotment = { version: this.allotments.length + 1, value, after: this.balance() + value, at, type };
    this.allotments.push(allotment);
    return allotment;
  }

  private post(
    value: bigint,
    type: string,
    now: Temporal.Instant,
    opens: { extends: boolean; ownDate: Temporal.Instant | null; earned?: Temporal.Instant | null } | null,
    drawFirst: number | null = null,
  ): void {
    const order = this.lots.filter((lot) => lot.left > 0n).sort((a, b) => this.burnOrder(a, b, drawFirst));
    const { version, at } = this.record(value, type, now);
    let left = -value;
    for (const lot of order) {
      const points = lot.left < left ? lot.left : left;
      if (points <= 0n) break;
      lot.left -= points;
      left -= points;
      this.draws.set(version, [...(this.draws.get(version) ?? []), { lot, points }]);
    }
    if (opens === null) return;
    this.lots.push({
      version,
      part: 0,
      left: value,
      ownDate: opens.ownDate,
      since: opens.earned ?? at,
      extends: opens.extends,
    });
    if (opens.extends) this.activeAt = at;
  }

  private burnOrder(a: ModelLot, b: ModelLot, drawFirst: number | null): number {
    const named = Number(b.version === drawFirst) - Number(a.version === drawFirst);
    const x = this.expiry(a);
    const y = this.expiry(b);
    const byDate = x === null || y === null ? Number(x === null) - Number(y === null) : Temporal.Instant.compare(x, y);
    // of lots that go in the same sweep, those with a date of their own come first, by it
    const own = Number(a.ownDate === null) - Number(b.ownDate === null);
    const byOwnDate = a.ownDate === null || b.ownDate === null ? 0 : Temporal.Instant.compare(a.ownDate, b.ownDate);
    return (
      named ||
      byDate ||
      own ||
      byOwnDate ||
      Temporal.Instant.compare(a.since, b.since) ||
      a.version - b.version ||
      a.part - b.part
    );
  }
}

function nextMidnight(date: Temporal.Instant, timeZone: string): Temporal.Instant {
  const local = date.toZonedDateTimeISO(timeZone);
  const start = local.startOfDay();
  return (local.equals(start) ? start : start.add({ days: 1 }).startOfDay()).toInstant();
}
