import { expect } from "vitest";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { awardPendingOrders } from "../../src/orders/award-pending-orders.ts";
import { reviewOrders } from "../../src/orders/review/review-orders.ts";
import { changeProgram } from "../../src/tiers/change-program.ts";
import type { TestService } from "../support/service.ts";
import { productEvents } from "./events.ts";

const API = "/api/storefront";
const WORKERS = 3;

/** The service, as lives use it: by its interface, with a clock that stands still between two actions. */
export class LivesStore {
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
  }

  now(): Temporal.Instant {
    return this.#service.clock.now();
  }

  pass(by: Temporal.DurationLike): void {
    this.#service.clock.advance(by);
  }

  async apply(document: object): Promise<void> {
    await changeProgram(this.#service.deps, { document, author: "lives", isDryRun: false, isNow: false });
  }

  async sendProducts(): Promise<void> {
    await this.send(productEvents(this.now()));
  }

  async send(events: readonly object[]): Promise<void> {
    await this.#accept(events);
    await processAllReceipts(this.#service.deps);
  }

  /** Processes the events in several workers at once, as several nodes do, with what they leave to other work. */
  async sendToWorkers(events: readonly object[]): Promise<void> {
    const { deps } = this.#service;
    await this.#accept(events);
    await Promise.all(Array.from({ length: WORKERS }, () => processAllReceipts(deps)));
    await reviewOrders(deps);
    await awardPendingOrders(deps);
  }

  async #accept(events: readonly object[]): Promise<void> {
    const { status, text } = await this.#service.client.post("/intake/events", events);
    expect([status, text]).toEqual([202, expect.any(String)]);
  }

  async give(customer_id: string, points: bigint): Promise<void> {
    await this.#post("point_allotments", { customer_id, point_value: Number(points) });
  }

  async issue(customer_id: string, points: bigint): Promise<{ readonly id: string; readonly code: string }> {
    return (await this.#post("coupons", { customer_id, point_value: Number(points) })).data;
  }

  async place(id: string, tier: string): Promise<void> {
    await this.#post(`point_balances/${id}/tiers`, { tier });
  }

  async awardDue(): Promise<void> {
    await awardPendingOrders(this.#service.deps);
  }

  /** How often each came out of a posting: capped, owed and so on. */
  async outcomes(): Promise<Readonly<Record<string, bigint>>> {
    const rows = await this.#service.deps.db.query<{ outcome: string; count: bigint }>(
      "select outcome, count(*) as count from order_posting group by 1 order by 1",
    );
    return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
  }

  async #post(path: string, body: object) {
    const answer = await this.#service.client.post(`${API}/${path}`, body);
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
    return answer.body;
  }

  /** A customer's points, debt, and allotments; nothing of a customer who was never created. */
  async customer(id: string) {
    const { client } = this.#service;
    const { status, body: balance } = await client.get(`${API}/point_balances/${id}`);
    if (status === 404) return { points: 0n, owed: 0n, allotments: [] };
    const { body: list } = await client.get(`${API}/point_allotments/${id}`);
    const { point_balance, points_owed = 0 } = balance.data;
    return { points: BigInt(point_balance), owed: BigInt(points_owed), allotments: list.data };
  }

  async orders(ids: readonly string[]) {
    return (await this.#service.client.get(`${API}/orders?ids=${ids.join(",")}`)).body.data;
  }

  async spends(ids: readonly string[]): Promise<ReadonlyMap<string, { minor: bigint; at: Temporal.Instant }>> {
    const rows = await this.#service.deps.db.query<{ id: string; minor: bigint; at: Temporal.Instant }>(
      `select order_id as id, spend_minor as minor, credited_at as at from order_spend where order_id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, ...spend }) => [id, spend]));
  }
}
