/**
 * Every refusal of this service, by the code in `errors[].code`, with the HTTP status and the title of interface.md 7 and program.md 1. A code is
 * part of the interface: it is never renamed and never changes its meaning (decision 41). `docs/errors.md` is generated from this list and from
 * `problem-meanings.ts`.
 */
export const PROBLEMS = {
  bad_request: [400, "Bad Request"],
  invalid_json: [400, "Request body is not valid JSON"],
  negative_balance: [400, "Point allotment would result in a negative balance"],
  unauthorized: [401, "Unauthorized"],
  token_expired: [401, "Token has expired"],
  invalid_sign_in: [401, "E-mail, password or code is wrong"],
  forbidden: [403, "Forbidden"],
  confirmation_needed: [403, "Confirm that it is you"],
  password_choice_needed: [403, "Choose a password of your own first"],
  oidc_only: [403, "Sign in through the identity provider"],
  totp_needed: [403, "Turn two-step sign-in on first"],
  same_person: [403, "Somebody else has to approve this"],
  not_found: [404, "Not found"],
  customer_not_found: [404, "Customer was not found"],
  coupon_not_found: [404, "Coupon was not found"],
  subscription_not_found: [404, "Webhook subscription was not found"],
  export_not_found: [404, "Export was not found"],
  import_not_found: [404, "Import was not found"],
  reservation_not_found: [404, "Reservation was not found"],
  link_not_found: [404, "This link no longer works"],
  method_not_allowed: [405, "Method not allowed"],
  request_timeout: [408, "Request Timeout"],
  ambiguous_email: [409, "More than one customer has this e-mail"],
  subscription_exists: [409, "A subscription for this topic already exists"],
  coupon_used: [409, "Coupon was used already"],
  reservation_captured: [409, "Reservation was captured already"],
  reservation_released: [409, "Reservation was released already"],
  import_exists: [409, "This file was imported already"],
  import_state: [409, "The import is in another state by now"],
  import_not_undoable: [409, "This import of customers cannot be undone"],
  import_waits: [409, "A second person decides on this import"],
  program_needs_approval: [403, "A second person has to approve this change of the program"],
  program_changed: [409, "The program was changed meanwhile"],
  changed_meanwhile: [409, "This was changed meanwhile: load the page again"],
  already_set_up: [409, "The store has been set up already"],
  last_owner: [409, "The store would be left without an owner"],
  own_account: [409, "This is your own account: change it there"],
  passkeys_unavailable: [409, "Passkeys cannot be used at this address"],
  second_factor_off: [409, "There is no second factor"],
  passkeys_full: [409, "This person has the maximum number of passkeys"],
  last_way_in: [409, "This is the only remaining way to sign in"],
  oidc_off: [409, "Sign-in through an identity provider is off"],
  totp_is_on: [409, "The second factor is on already"],
  request_decided: [409, "The request has been decided already"],
  merge_waits: [409, "A second person decides on a merge of these customers"],
  customer_merged: [409, "A customer of this request has been merged meanwhile"],
  request_changed: [409, "The balance has changed since this was requested"],
  requests_full: [409, "Too many changes of the program wait for a second person"],
  requester_gone: [409, "The requester is no longer allowed to do this"],
  request_expired: [409, "The request is too old to be approved"],
  proof_not_ready: [409, "No checkpoint covers this yet"],
  ledger_altered: [409, "The ledger differs from its signed checkpoints"],
  idempotency_running: [409, "A request with this Idempotency-Key is still running"],
  gone: [410, "Gone"],
  body_too_large: [413, "Request body is too large"],
  uri_too_long: [414, "URI Too Long"],
  unsupported_media_type: [415, "Unsupported media type"],
  expectation_failed: [417, "Expectation Failed"],
  misdirected_request: [421, "Misdirected request"],
  invalid: [422, "Invalid value"],
  idempotency_mismatch: [422, "Idempotency-Key was used with another request"],
  balance_limit: [422, "Point balance would be too large"],
  too_many_requests: [429, "Too many requests"],
  headers_too_large: [431, "Request Header Fields Too Large"],
  internal: [500, "Internal server error"],
  unavailable: [503, "Service unavailable"],
  provider_unavailable: [503, "The identity provider does not respond"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** What the client can do, where the title does not say it: the `detail` of a refusal without faults. */
const ADVICE: Readonly<Partial<Record<ProblemCode, string>>> = {
  ambiguous_email: "name the customer by storefront id instead of by e-mail",
  coupon_used: "its points are returned when the order that used it is refunded or cancelled",
  reservation_captured: "it has ended: read it for what was captured, or make another reservation",
  reservation_released: "its points are available again: make another reservation",
  proof_not_ready: "try again after as many seconds as the header Retry-After says",
  ledger_altered: "run pointkeeper verify: it names what was changed",
  idempotency_running: "send the same request with the same key again in some seconds: it gets that request's answer",
  too_many_requests: "try again after as many seconds as the header Retry-After says",
};

/** One fault of a request: what was expected, and where, as a JSON pointer into the body or a parameter's name. */
export interface Fault {
  detail: string;
  pointer?: string;
  parameter?: string;
}

/** The maximum number of faults in a refusal, which then says how many more there are. */
export const FAULTS_MAX = 100;
/** Pointers, parameter names and details are cut to this length, because they may contain the sender's text. */
const FAULT_TEXT_MAX = 200;

/** The placeholder for a fault that is counted but not listed, after the first `FAULTS_MAX`. It needs no memory. */
const UNSHOWN_FAULT: Fault = Object.freeze({ detail: "" });

/** Adds a fault to a list of any length; only the first `FAULTS_MAX` are created. */
export function pushFault(faults: Fault[], make: () => Fault): void {
  faults.push(faults.length < FAULTS_MAX ? make() : UNSHOWN_FAULT);
}

/** Cuts a text to `max` characters, with an ellipsis if it was longer. */
export function cutText(text: string, max = FAULT_TEXT_MAX): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}

function namedFault({ detail, pointer, parameter }: Fault): Fault {
  return {
    detail: cutText(detail),
    ...(pointer === undefined ? {} : { pointer: cutText(pointer) }),
    ...(parameter === undefined ? {} : { parameter: cutText(parameter) }),
  };
}

export interface ProblemOptions {
  /** One entry of `errors` for each of the first `FAULTS_MAX`; none: a single entry with only the title. */
  faults?: readonly Fault[];
  /** The number of faults, if `faults` does not have all of them. */
  faultCount?: number;
  /** Seconds until another attempt can succeed, sent as `Retry-After`. */
  retryAfterS?: number;
}

/** A refusal for the caller. Only verbs throw it; any other error is a bug and answered with 500. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  /** At most `FAULTS_MAX`, with shortened texts. */
  readonly faults: readonly Fault[];
  /** The number of all faults, including those that are not listed. */
  readonly faultCount: number;
  readonly retryAfterS: number | undefined;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const given = options.faults ?? [];
    const faults = given.slice(0, FAULTS_MAX).map(namedFault);
    super(faults[0]?.detail ?? PROBLEMS[code][1]);
    this.code = code;
    this.faults = faults;
    this.faultCount = Math.max(options.faultCount ?? 0, given.length);
    this.retryAfterS = options.retryAfterS;
  }

  get status(): number {
    return PROBLEMS[this.code][0];
  }

  get advice(): string | undefined {
    return ADVICE[this.code];
  }

  get title(): string {
    return PROBLEMS[this.code][1];
  }
}

/** Returns the 422 for one field: `invalid("/point_value", "expected an integer other than 0")`. */
export function invalid(pointer: string, detail: string): Problem {
  return new Problem("invalid", { faults: [{ pointer, detail }] });
}

/** Returns the refusal for something that a path or command names and that does not exist. */
export function notFound(detail: string): Problem {
  return new Problem("not_found", { faults: [{ pointer: "", detail }] });
}
