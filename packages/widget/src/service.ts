/** Amounts come in major units, as text. */
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

/** A cart as the page has it; amounts are decimals of major units. */
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

/** What gives a token, anew each time; null: nobody is signed in. */
export type GetToken = () => Promise<string | null | undefined> | string | null | undefined;

/** The service refused, or did not answer (`code` "network"). */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/** Nobody is signed in. */
export class SignedOut extends Error {}

const TIMEOUT_MS = 15_000;
const ATTEMPTS = 3;
const PAUSE_MS = 400;

/** Asks the service for one customer. A token that is over is renewed once for a request; what is lost on the way is sent again. */
export class Service {
  readonly #base: string;
  readonly #getToken: GetToken;
  #token: Promise<string> | undefined;
  /** What `#token` came to. */
  #current: string | undefined;

  constructor(base: string, getToken: GetToken) {
    this.#base = base.replace(/\/+$/, "");
    this.#getToken = getToken;
  }

  /** `isFresh`: what was just changed has to be in it. */
  summary(isFresh: boolean): Promise<Summary> {
    return this.#ask("GET", "summary", isFresh ? { cache: "no-store" } : {});
  }

  cart(cart: Cart): Promise<{ readonly points: number }> {
    return this.#ask("POST", "cart", { body: JSON.stringify(cart) });
  }

  /** Sent again with the same key, it redeems once. */
  redeem(points: number, key: string): Promise<Coupon> {
    return this.#ask("POST", "coupons", { body: JSON.stringify({ points }) }, { "idempotency-key": key });
  }

  async #ask<T>(method: string, path: string, init: RequestInit, more: Record<string, string> = {}): Promise<T> {
    let isRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const token = await this.#currentToken();
      try {
        const type = init.body === undefined ? {} : { "content-type": "application/json" };
        const headers = { authorization: `Bearer ${token}`, ...type, ...more };
        return await this.#send<T>(path, { ...init, method, headers });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.status === 401) this.#forget(token);
        const mayRenew: boolean = error.status === 401 && !isRenewed;
        if (!mayRenew && !(isPassing(error) && attempt < ATTEMPTS)) throw error;
        isRenewed ||= mayRenew;
        if (!mayRenew) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
      }
    }
  }

  /** Unless another request has renewed it already. */
  #forget(token: string): void {
    if (this.#current !== token) return;
    this.#current = undefined;
    this.#token = undefined;
  }

  /** Requests that are sent at once share one. */
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
    throw new ServiceError(answer.status, body.errors?.[0]?.code ?? "unknown");
  }
}

/** Lost on the way, a fault of a moment, or the same request still runs. */
function isPassing({ status }: ServiceError): boolean {
  return status === 0 || status >= 500 || status === 409;
}
