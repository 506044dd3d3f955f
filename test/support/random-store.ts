import { createHash } from "node:crypto";
import { createDice, type Dice } from "../../demo/season/dice.ts";
import { selectImport } from "../../src/imports/queries.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import type { CustomerRef } from "../../src/ledger/customer-ref.ts";
import { expirePoints } from "../../src/ledger/expiry/expire-points.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { type Change, plainPosting } from "../../src/ledger/posting.ts";
import { columnsOf } from "../../src/moving-in/member.ts";
import { type MemberMove, MOVE_KINDS, moveUidOf } from "../../src/moving-in/move.ts";
import { moveKind } from "../../src/moving-in/move-kind.ts";
import { undoMove } from "../../src/moving-in/undo-move.ts";
import { pointkeeper } from "../../src/moving-in/vendors/pointkeeper.ts";
import { mergeInto } from "./customers.ts";
import { cancelled, refunded } from "./order-events.ts";
import { type OrderFlow, ofOrder } from "./order-flow.ts";
import { sale } from "./order-sale.ts";

const BY = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };
const PLAIN = ["reward", "csv", "manual", "flow"] as const;
const ORIGINS = ["promotion", "compensation", "migration", "purchase", "sale", null] as const;
const FIND = `select a.bucket, a.customer_uid as "customerUid" from customer_alias a where a.storefront_id = $1`;
const PATH = "/api/storefront";
const REFUSALS = ["negative_balance", "reservation_released", "reservation_captured"];

/** A store to which everything happens that moves points, by dice. */
export class RandomStore {
  readonly dice: Dice;
  readonly #flow: OrderFlow;
  readonly #there: string[] = [];
  readonly #codes: string[] = [];
  readonly #holds: string[] = [];
  readonly #orders: (readonly [id: string, customer: string])[] = [];
  readonly #moves: MemberMove[] = [];
  readonly #corrections: { readonly customer: CustomerRef; readonly points: bigint; readonly version: bigint }[] = [];
  #count = 0;

  constructor(flow: OrderFlow, seed: number) {
    this.#flow = flow;
    this.dice = createDice(seed);
  }

  async open(customers: number): Promise<void> {
    for (let n = 0; n < customers; n++) await this.#join();
  }

  async act(): Promise<void> {
    const id = this.dice.pick(this.#there);
    const roll = this.dice.below(100);
    if (roll < 22) return this.#post(id);
    if (roll < 32) return this.#give(id);
    if (roll < 52) return this.#order(id);
    if (roll < 56) return this.#endOrder();
    if (roll < 68) return this.#coupon(id);
    if (roll < 76) return this.#endCoupon();
    if (roll < 82) return this.#hold(id);
    if (roll < 86) return this.#correct(id);
    if (roll < 89) return this.#mergeOrDelete();
    if (roll < 92) return this.#join();
    if (roll < 95) return this.#move();
    if (roll < 96) return this.#undoMove();
    return this.sweep();
  }

  async sweep(): Promise<void> {
    await this.#flow.expire();
    await expirePoints(this.#flow.deps);
  }

  async #join(): Promise<void> {
    const id = `r${++this.#count}`;
    await this.#flow.customer(id, this.dice.chance(0.7) ? { email: `${id}@random.example` } : {});
    this.#there.push(id);
  }

  /** Returns a time of the last 70 days; null: none. */
  #earlier(probability: number): Temporal.Instant | null {
    if (!this.dice.chance(probability)) return null;
    return this.#flow.deps.clock.now().subtract({ hours: 1 + this.dice.below(24 * 70) });
  }

  async #post(id: string): Promise<void> {
    const pointValue = BigInt(1 + this.dice.below(300)) * (this.dice.chance(0.75) ? 1n : -1n);
    const earnedAt = this.#earlier(0.3);
    const plain = plainPosting(this.#flow.deps.random.uid(), this.dice.pick(PLAIN), "test", {
      kind: "add",
      pointValue,
      shortfall: "cap",
    });
    const more = { origin: this.dice.pick(ORIGINS), earnedAt: pointValue > 0n ? earnedAt : null };
    await this.#write(id, { ...plain, ...more });
  }

  async #write(id: string, posting: ReturnType<typeof plainPosting>) {
    const { deps } = this.#flow;
    return deps.db.tx(async (tx) => {
      const [customer] = await tx.query<CustomerRef>(FIND, [id]);
      if (customer === undefined) throw new Error(`${id} is nobody`);
      const [outcome] = await postAllotments(tx, deps, [{ customer, posting }]);
      return { customer, outcome };
    });
  }

  /** Points of the interface, those of origin sale without an order among them. */
  async #give(id: string): Promise<void> {
    const type = this.dice.pick(["fulfillment", "compensation", "reward", "refund"]);
    const earnedAt = this.#earlier(0.2);
    await this.#send("point_allotments", {
      ...{ customer_id: id, point_value: 1 + this.dice.below(200), reason: { type } },
      ...(earnedAt === null ? {} : { earned_at: earnedAt.toString() }),
      ...(this.dice.chance(0.2) ? { expires_at: this.#later(1 + this.dice.below(80)) } : {}),
    });
  }

  /** Posts a request that the store may refuse for want of points or because it is over; returns what it gave, or null. */
  async #send(path: string, wanted: object): Promise<{ readonly id: string; readonly code: string } | null> {
    const { status, body, text } = await this.#flow.client.post(`${PATH}/${path}`, wanted);
    if (status < 300) return body.data;
    if (!REFUSALS.includes(body.errors[0].code)) throw new Error(`${path}: ${text}`);
    return null;
  }

  #later(days: number): string {
    return this.#flow.deps.clock
      .now()
      .add({ hours: 24 * days })
      .toString();
  }

  async #order(id: string): Promise<void> {
    const name = `o${++this.#count}`;
    await this.#flow.take(...sale(name, id, 1_000 + this.dice.below(50_000)));
    this.#orders.push([name, id]);
    if (this.dice.chance(0.2)) await this.#endOrder();
  }

  /** A refund of a part, or a cancellation, possibly months later. */
  async #endOrder(): Promise<void> {
    const [order] = this.#orders.splice(this.dice.below(this.#orders.length), 1);
    if (order === undefined) return;
    const back = refunded(3, "r", { lines: [["a", 1, 500]], moved: 500 });
    await this.#flow.take(...ofOrder(...order, [this.dice.chance(0.5) ? back : cancelled(3)]));
  }

  async #coupon(id: string): Promise<void> {
    const coupon = await this.#send("coupons", { customer_id: id, point_value: 1 + this.dice.below(200) });
    if (coupon !== null) this.#codes.push(coupon.code);
  }

  async #endCoupon(): Promise<void> {
    const [code] = this.#codes.splice(this.dice.below(this.#codes.length), 1);
    if (code !== undefined) await this.#flow.client.delete(`${PATH}/coupons/${code}`);
  }

  async #hold(id: string): Promise<void> {
    const [uid] = this.#holds.splice(this.dice.below(this.#holds.length), 1);
    if (uid !== undefined) {
      const way = this.dice.pick(["capture", "release"]);
      await this.#send(`reservations/${uid}/${way}`, way === "capture" ? { point_value: 5 } : {});
      return;
    }
    const wanted = { customer_id: id, point_value: 5 + this.dice.below(100), ttl_seconds: 86_400 * 20 };
    const hold = await this.#send("reservations", wanted);
    if (hold !== null) this.#holds.push(hold.id);
  }

  /** A deduction by staff, or the undoing of an earlier one. */
  async #correct(id: string): Promise<void> {
    const nextUid = this.#flow.deps.random.uid;
    const [last] = this.#corrections.splice(this.dice.below(this.#corrections.length + 1), 1);
    if (last === undefined) {
      const pointValue = -BigInt(1 + this.dice.below(150));
      const change: Change = { kind: "add", pointValue, shortfall: "cap" };
      const { customer, outcome } = await this.#write(id, plainPosting(nextUid(), "manual", "test", change));
      if (outcome?.kind === "posted" && outcome.pointValue < 0n)
        this.#corrections.push({ customer, points: -outcome.pointValue, version: outcome.version });
      return;
    }
    const { customer, points, version } = last;
    const change: Change = { kind: "give_back", pointValue: points, ofVersion: version, skip: 0n };
    const sourceKey = `undo/${customer.customerUid}/${version}`;
    const { deps } = this.#flow;
    await deps.db.tx(async (tx) => {
      const [live] = await tx.query(
        `select from balance b join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
where b.bucket = $1 and b.customer_uid = $2 and c.deleted_at is null`,
        [customer.bucket, customer.customerUid],
      );
      if (live === undefined) return;
      const posting = { ...plainPosting(nextUid(), "manual", "test", change), sourceKey };
      await postAllotments(tx, deps, [{ customer, posting }]);
    });
  }

  async #mergeOrDelete(): Promise<void> {
    if (this.#there.length < 6) return;
    const [gone = ""] = this.#there.splice(this.dice.below(this.#there.length), 1);
    if (this.dice.chance(0.6)) await mergeInto(this.#flow.deps, gone, this.dice.pick(this.#there));
    else await this.#flow.remove(gone);
  }

  /** A file of members, new ones and known ones, with dates. */
  async #move(): Promise<void> {
    const { deps } = this.#flow;
    const header = ["email", "points", "earned_at", "expires_at"];
    const rows = Array.from({ length: 1 + this.dice.below(5) }, () => {
      const name = this.dice.chance(0.5) ? this.dice.pick(this.#there) : `m${++this.#count}`;
      const earned = this.#earlier(0.6)?.toString() ?? "";
      const expires = this.dice.chance(0.4) ? this.#later(1 + this.dice.below(100)) : "";
      return `${name}@random.example,${this.dice.below(400)},${earned},${expires}\n`;
    });
    const bytes = Buffer.from(`${header.join(",")}\n${rows.join("")}`);
    const move: MemberMove = {
      file: {
        name: "members.csv",
        open: async function* () {
          yield bytes;
        },
      },
      head: {
        ...{ encoding: "utf-8", separator: ",", header, lineCount: rows.length },
        sha256: createHash("sha256").update(bytes).digest(),
      },
      ...{ vendor: pointkeeper, columns: columnsOf(pointkeeper, header) },
      ...{ setsBalance: this.dice.chance(0.3), again: true, keepTiersUntil: null, asOf: null },
      uploadedAt: deps.clock.now(),
    };
    for (const kind of MOVE_KINDS)
      await moveKind(deps, move, kind, { by: BY, work: this.#work, onLeftOut: async () => {} });
    this.#moves.push(move);
  }

  readonly #work = async (uid: string) => {
    await workImports(this.#flow.deps);
    return selectImport(this.#flow.deps.db, uid);
  };

  async #undoMove(): Promise<void> {
    const [move] = this.#moves.splice(this.dice.below(this.#moves.length), 1);
    if (move === undefined) return;
    await undoMove(this.#flow.deps, moveUidOf(move), { by: BY, work: this.#work }).catch((error: unknown) => {
      if (!String(error).includes("can no longer be undone")) throw error;
    });
  }
}
