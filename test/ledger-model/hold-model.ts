/**
 * A small balance with holds, written from program.md 3 and 5 alone: it imports nothing of the service. Time passes in it for
 * real: every hold that ends and every date that comes is done at its own moment, never late.
 */
export interface HoldRules {
  readonly delayMonths: number | null;
  readonly mode: "sliding" | "per_allotment";
  readonly timeZone: string;
  readonly returnedDays: number;
}

interface PlainLot {
  readonly n: number;
  left: number;
  ownDate: Temporal.Instant | null;
  readonly since: Temporal.Instant;
}

export interface PlainHold {
  readonly points: number;
  readonly endsAt: Temporal.Instant;
  state: "held" | "captured" | "released";
  captured: number;
}

export class HoldModel {
  readonly lots: PlainLot[] = [];
  readonly holds: PlainHold[] = [];
  activeAt: Temporal.Instant | null = null;
  now: Temporal.Instant;
  readonly rules: HoldRules;

  constructor(rules: HoldRules, now: Temporal.Instant) {
    this.rules = rules;
    this.now = now;
  }

  ledger(): number {
    return this.lots.reduce((sum, lot) => sum + lot.left, 0);
  }

  held(): number {
    return this.holds.reduce((sum, hold) => sum + (hold.state === "held" ? hold.points : 0), 0);
  }

  /** The balance that everybody sees. */
  available(): number {
    return this.ledger() - this.held();
  }

  /** The soonest date that is still to come. */
  expiresAt(): Temporal.Instant | null {
    const dates = this.open().flatMap((lot) => this.expiry(lot) ?? []);
    return earliest(dates.filter((date) => Temporal.Instant.compare(date, this.now) > 0));
  }

  passTo(to: Temporal.Instant): void {
    for (;;) {
      const ends = this.holds.filter((hold) => hold.state === "held").map((hold) => hold.endsAt);
      const dates = this.open().flatMap((lot) => this.expiry(lot) ?? []);
      const coming = [...ends, ...dates].filter((at) => Temporal.Instant.compare(at, this.now) > 0);
      const next = earliest(coming.filter((at) => Temporal.Instant.compare(at, to) <= 0));
      if (next === null) break;
      this.now = next;
      this.expire();
      for (const hold of this.holds) {
        if (hold.state === "held" && Temporal.Instant.compare(hold.endsAt, next) === 0) this.free(hold, "released");
      }
    }
    this.now = to;
  }

  give(points: number, extending: boolean, ownDays: number | null): void {
    const ownDate = ownDays === null ? null : this.now.add({ hours: 24 * ownDays });
    this.lots.push({ n: this.lots.length, left: points, ownDate, since: this.now });
    if (extending) this.activeAt = this.now;
  }

  take(points: number): boolean {
    if (points > this.available()) return false;
    this.burn(points);
    return true;
  }

  hold(points: number, seconds: number): PlainHold | null {
    if (points > this.available()) return null;
    const hold: PlainHold = { points, endsAt: this.now.add({ seconds }), state: "held", captured: 0 };
    this.holds.push(hold);
    return hold;
  }

  capture(hold: PlainHold, points: number): void {
    this.burn(points);
    this.free(hold, "captured");
    hold.captured = points;
  }

  release(hold: PlainHold): void {
    this.free(hold, "released");
  }

  private open(): PlainLot[] {
    return this.lots.filter((lot) => lot.left > 0);
  }

  private expiry(lot: PlainLot): Temporal.Instant | null {
    const { delayMonths, mode, timeZone } = this.rules;
    if (lot.ownDate !== null) return midnightFrom(lot.ownDate, timeZone);
    if (delayMonths === null) return null;
    const slides =
      mode === "sliding" && this.activeAt !== null && Temporal.Instant.compare(this.activeAt, lot.since) > 0;
    const start = slides && this.activeAt !== null ? this.activeAt : lot.since;
    return midnightFrom(start.toZonedDateTimeISO(timeZone).add({ months: delayMonths }).toInstant(), timeZone);
  }

  private inBurnOrder(): PlainLot[] {
    const far = Temporal.Instant.from("9999-01-01T00:00:00Z");
    return this.open().sort(
      (a, b) =>
        Temporal.Instant.compare(this.expiry(a) ?? far, this.expiry(b) ?? far) ||
        Number(a.ownDate === null) - Number(b.ownDate === null) ||
        Temporal.Instant.compare(a.ownDate ?? far, b.ownDate ?? far) ||
        a.n - b.n,
    );
  }

  private burn(points: number): void {
    let left = points;
    for (const lot of this.inBurnOrder()) {
      const taken = Math.min(lot.left, left);
      lot.left -= taken;
      left -= taken;
    }
  }

  private passed(): PlainLot[] {
    return this.inBurnOrder().filter((lot) => {
      const date = this.expiry(lot);
      return date !== null && Temporal.Instant.compare(date, this.now) <= 0;
    });
  }

  /** What has reached its date goes, but for as much as is held. */
  private expire(): void {
    const passed = this.passed().reduce((sum, lot) => sum + lot.left, 0);
    this.burn(Math.max(0, passed - this.held()));
  }

  /** Points that come back after their date live on for a while, in whole lots. */
  private free(hold: PlainHold, state: "captured" | "released"): void {
    hold.state = state;
    let back = this.passed().reduce((sum, lot) => sum + lot.left, 0) - this.held();
    for (const lot of this.passed()) {
      if (back <= 0) break;
      back -= lot.left;
      const local = this.now.toZonedDateTimeISO(this.rules.timeZone);
      lot.ownDate = local.add({ days: this.rules.returnedDays }).toInstant();
    }
  }
}

function earliest(dates: readonly Temporal.Instant[]): Temporal.Instant | null {
  return dates.reduce<Temporal.Instant | null>(
    (first, date) => (first === null || Temporal.Instant.compare(date, first) < 0 ? date : first),
    null,
  );
}

function midnightFrom(date: Temporal.Instant, timeZone: string): Temporal.Instant {
  const local = date.toZonedDateTimeISO(timeZone);
  const start = local.startOfDay();
  return (local.equals(start) ? start : start.add({ days: 1 }).startOfDay()).toInstant();
}
