import type { OperationCaller, Query } from "./operation.ts";
import type { CallOptions } from "./transport.ts";

const API = "/api/storefront";

/** Reports for the accountant. */
export class Reports {
  readonly #call: OperationCaller;

  constructor(call: OperationCaller) {
    this.#call = call;
  }

  /** Returns points owed and revenue deferred in a month, `2026-10`; by default the present one. */
  liability(query?: Query<"GET /api/storefront/reports/liability">, options?: CallOptions) {
    return this.#call.data(`GET ${API}/reports/liability`, { query }, options);
  }

  /** Returns one page of the allotments behind a figure; `meta.next_cursor` is the `cursor` of the next. */
  liabilityMovements(query: Query<"GET /api/storefront/reports/liability/movements">, options?: CallOptions) {
    return this.#call.whole(`GET ${API}/reports/liability/movements`, { query, hasData: true }, options);
  }

  /** Returns a month's journal entries: a response whose body is a CSV file. */
  liabilityJournal(month: string, options?: CallOptions): Promise<Response> {
    return this.#call.stream(`GET ${API}/reports/liability/journal`, { query: { month } }, options);
  }
}
