import type { Body, OperationCaller } from "./operation.ts";
import type { CallOptions } from "./transport.ts";

/** Settings of one call that sends events. */
export interface SendOptions extends CallOptions {
  /** How many seconds the service may wait until the events are processed: it waits at most 20. */
  readonly wait?: number;
  /** Whether all events are accepted or none; by default the others are where some are refused. */
  readonly strict?: boolean;
}

/** The service waits no longer. */
const WAIT_MAX_S = 20;

export class Intake {
  readonly #call: OperationCaller;

  constructor(call: OperationCaller) {
    this.#call = call;
  }

  /**
   * Sends one neutral event, or an array of them. Returns what became of each, in their order: `status` is `refused` for one that cannot be read, with
   * `errors`. An event with a `delivery_key` or `occurred_at` that is sent again counts once.
   */
  async send(
    body: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[],
    { wait = 0, strict = false, ...options }: SendOptions = {},
  ) {
    if (!Number.isInteger(wait) || wait < 0) throw new TypeError("wait: expected a whole number of seconds");
    const seconds = Math.min(wait, WAIT_MAX_S);
    const prefer = [...(seconds > 0 ? [`wait=${seconds}`] : []), ...(strict ? ["handling=strict"] : [])].join(", ");
    return this.#call.data(
      "POST /intake/events",
      {
        body: body as Body<"POST /intake/events">, // cast: the service checks it
        holdMs: seconds * 1_000,
        ...(prefer === "" ? {} : { headers: { prefer } }),
      },
      options,
    );
  }
}
