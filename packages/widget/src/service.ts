/** Amounts are texts in major units. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface Coupon {
  readonly code: string;
  readonly value: Money;
  readonly points: number;
  readonly expires_at: string;
}

export interface Summary {
  readonly points: number;
  readonly worth: Money;
  readonly time_zone: string;
  readonly expiries: readonly { readonly expires_at: string; readonly points: number }[];
  readonly tier: {
    readonly name: string;
    readonly spent: Money;
    readonly deadline: string;
    readonly next: { readonly name: string; readonly requirement: Money; readonly remaining: Money } | null;
    readonly to_keep: Money | null;
  } | null;
  readonly redemption: { readonly point_worth: Money } | null;
  readonly coupons: readonly Coupon[];
}

/** A cart of the page; amounts are decimals in major units. */
export interface Cart {
  readonly currency?: string;
  readonly taxes_included?: boolean;
  readonly lines: readonly {
    readonly product_id: string | number;
    readonly quantity?: number;
    readonly price: string;
    readonly discount?: string;
    readonly tax?: string;
  }[];
}

/** Returns a token, a new one each time; null: nobody is signed in. */
export type GetToken = () => Promise<string | null | undefined> | string | null | undefined;

/** The service refused, or did not respond (`code` "network"). */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  /** How long the service asked to wait, as far as a customer waits for a page. */
  readonly waitMs: number;
  constructor(status: number, code: string, waitMs = 0) {
    super(code);
    this.status = status;
    this.code = code;
    this.waitMs = waitMs;
  }
}

/** Nobody is signed in. */
export class SignedOut extends Error {}

/** Somebody else has signed in since the summary that is shown. */
export class OtherCustomer extends Error {}

/** Whom a token names; undefined: it cannot be read. */
export type Customer = string | undefined;

/** What the service returned, and for whom. */
export interface Answer<T> {
  readonly data: T;
  readonly customer: Customer;
}

/** One request below /api/customer. `only`: the only customer whose answer is accepted. */
interface Call {
  readonly path: string;
  readonly init: RequestInit & { readonly headers?: Readonly<Record<string, string>> };
  readonly only?: { readonly customer: Customer };
}

export const TIMEOUT_MS = 15_000;
const ATTEMPTS = 3;
const PAUSE_MS = 400;
const WAIT_MAX_MS = 5_000;

/** Requests data of one customer from the service. An expired token is renewed once per request; a lost request is repeated. */
export class Service {
  readonly #base: string;
  readonly #getToken: GetToken;
  #token: Promise<string> | undefined;
  /** The result of `#token`. */
  #current: string | undefined;

  constructor(base: string, getToken: GetToken) {
    this.#base = base.replace(/\/+$/, "");
    this.#getToken = getToken;
  }

  /** `isFresh`: the summary has to include what was just changed. */
  summary(isFresh: boolean): Promise<Answer<Summary>> {
    return this.#ask({ path: "summary", init: isFresh ? { cache: "no-store" } : {} });
  }

  async cart(cart: Cart): Promise<{ readonly points: number }> {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(cart) };
    return (await this.#ask<{ readonly points: number }>({ path: "cart", init })).data;
  }

  /** Repeated with the same key, it redeems once. Throws OtherCustomer where the token names another customer by now. */
  async redeem(customer: Customer, points: number, key: string): Promise<Coupon> {
    const headers = { "content-type": "application/json", "idempotency-key": key };
    const init = { method: "POST", headers, body: JSON.stringify({ points }) };
    return (await this.#ask<Coupon>({ path: "coupons", init, only: { customer } })).data;
  }

  async #ask<T>({ path, init, only }: Call): Promise<Answer<T>> {
    let isRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const token = await this.#tokenFor(only);
      try {
        const headers = { ...init.headers, authorization: `Bearer ${token}` };
        return { data: await this.#send<T>(path, { ...init, headers }), customer: customerOf(token) };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.status === 401) this.#forget(token);
        const mayRenew: boolean = error.status === 401 && !isRenewed;
        if (!mayRenew && !(isPassing(error) && attempt < ATTEMPTS)) throw error;
        isRenewed ||= mayRenew;
        if (!mayRenew) await pause(error.waitMs + PAUSE_MS * attempt * (0.5 + Math.random()));
      }
    }
  }

  async #tokenFor(only: Call["only"]): Promise<string> {
    const token = await this.#currentToken();
    if (only !== undefined && only.customer !== customerOf(token)) throw new OtherCustomer();
    return token;
  }

  /** Does nothing if another request has already renewed it. */
  #forget(token: string): void {
    if (this.#current !== token) return;
    this.#current = undefined;
    this.#token = undefined;
  }

  /** Simultaneous requests share one. */
  async #currentToken(): Promise<string> {
    this.#token ??= this.#newToken();
    const asked = this.#token;
    try {
      const token = await asked;
      if (this.#token === asked) this.#current = token;
      return token;
    } catch (error) {
      if (this.#token === asked) this.#token = undefined;
      throw error;
    }
  }

  async #newToken(): Promise<string> {
    const token = await this.#getToken();
    if (!token) throw new SignedOut();
    return token;
  }

  async #send<T>(path: string, init: RequestInit): Promise<T> {
    const url = `${this.#base}/api/customer/${path}`;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    let answer: Response;
    let body: { data?: T; errors?: { code?: string }[] };
    try {
      answer = await fetch(url, { ...init, credentials: "omit", referrerPolicy: "no-referrer", signal });
      body = await answer.json();
    } catch {
      throw new ServiceError(0, "network");
    }
    if (answer.ok && body.data !== undefined) return body.data;
    throw new ServiceError(answer.status, body.errors?.[0]?.code ?? "unknown", waitOf(answer));
  }
}

/** With its random part, pages that were refused together do not return together. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function waitOf({ headers }: Response): number {
  return Math.min(Number(headers.get("retry-after")) * 1_000 || 0, WAIT_MAX_MS);
}

/** Unverified: the service verifies it. */
function customerOf(token: string): Customer {
  try {
    const payload = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/");
    return String(JSON.parse(atob(payload ?? "")).sub);
  } catch {
    return undefined;
  }
}

/** The request was lost, failed temporarily, or is still running. */
function isPassing({ status }: ServiceError): boolean {
  return status === 0 || status >= 500 || status === 409;
}
