import type { Body, OperationCaller } from "./operation.ts";
import type { CallOptions } from "./transport.ts";

/** Settings of one call that sends events. */
export interface SendOptions extends CallOptions {
  /** How many seconds, at most 20, the service may wait until the events are processed. */
  readonly wait?: number;
  /** Whether all events are accepted or none; by default the others are where some are refused. */
  readonly strict?: boolean;
}

export class Intake {
  readonly #call: OperationCaller;

  constructor(call: OperationCaller) {
    this.#call = call;
  }

  /**
   * Sends one neutral event, or an array of them. Returns what became of each, in their order: `status` is `refused` for one that cannot be read, with
   * `errors`. An event sent again counts once.
   */
  send(
    body: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[],
    { wait = 0, strict = false, ...options }: SendOptions = {},
  ) {
    if (!Number.isInteger(wait) || wait < 0) throw new TypeError("wait: expected a whole number of seconds");
    const prefer = [...(wait > 0 ? [`wait=${wait}`] : []), ...(strict ? ["handling=strict"] : [])].join(", ");
    return this.#call.data(
      "POST /intake/events",
      {
        body: body as Body<"POST /intake/events">, // cast: the service checks it
        holdMs: wait * 1_000,
        ...(prefer === "" ? {} : { headers: { prefer } }),
      },
      options,
    );
  }
}
