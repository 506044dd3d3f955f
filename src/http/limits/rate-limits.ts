import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../problems.ts";
import { addressKey } from "../address-key.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The open route is never refused because of a rate: health checks. */
    isProbe?: true;
  }
  interface FastifyInstance {
    rateLimits: RateLimits;
  }
  interface FastifyRequest {
    /** The signature of its body was checked and is valid; set by the handlers of signed deliveries. */
    isSignatureValid: boolean;
  }
}

/** Requests per minute; 0: unlimited. Each process counts separately. */
export interface Rates {
  /** From one address, to routes that need no credential. */
  readonly address: number;
  /** From one address, that fail authentication (401). */
  readonly failures: number;
  /** With one credential. */
  readonly credential: number;
  /** For the customer named by a token. */
  readonly customer: number;
}

export interface RateLimits {
  /** Counts a 401; returns the 429 to send instead if the address had too many. */
  countFailure(request: FastifyRequest, reply: FastifyReply): Promise<Problem | null>;
  /** Returns the 429 to send to an address that had too many 401s already; counts nothing. */
  refuseAfterFailures(request: FastifyRequest, reply: FastifyReply): Promise<Problem | null>;
}

type Counter = ReturnType<FastifyInstance["createRateLimit"]>;
type Count = Extract<Awaited<ReturnType<Counter>>, { isAllowed: false }>;

const COUNTED: Readonly<Record<keyof Rates, string>> = {
  address: "requests without a credential of one address",
  failures: "requests of one address that are refused with 401",
  credential: "requests of one credential",
  customer: "requests for one customer",
};

const WINDOW_S = 60;
/** The maximum number of counted addresses or credentials; those not seen for the longest are dropped first. */
const COUNTED_MAX = 20_000;
const TRUST_MS = 600_000;

/**
 * Limits how often one address calls routes that need no credential, how often it is refused with 401, and how often a credential sends requests.
 * Answers have `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), a 429 also `Retry-After`. An IPv6 address counts by its
 * /64. A valid credential, or a session whose token shows that it was made here, is never refused because of the failures of others at its address.
 */
export function registerRateLimits(app: FastifyInstance, rates: Rates): void {
  app.register(rateLimit, { global: false });
  app.after(() => addLimits(app, rates));
}

function addLimits(app: FastifyInstance, rates: Rates): void {
  const counter = (max: number, more: object = {}) => {
    const options = { max, timeWindow: WINDOW_S * 1_000, cache: COUNTED_MAX, ...more };
    return max === 0 ? undefined : app.createRateLimit(options);
  };
  const ofAddress = { keyGenerator: (request: FastifyRequest) => addressKey(request.ip) };
  const byAddress = counter(rates.address, ofAddress);
  const byFailures = counter(rates.failures, ofAddress);
  const byCredential = counter(rates.credential, { keyGenerator: (request: FastifyRequest) => request.credential.uid });
  const byCustomer = counter(rates.customer, { keyGenerator: (request: FastifyRequest) => request.credential.uid });
  const trusted = createTrust();

  async function refuseAfterFailures(request: FastifyRequest, reply: FastifyReply): Promise<Problem | null> {
    const count = await counted(byFailures, request, { increment: false });
    return count?.isExceeded === true ? writeRateHeaders(request, reply, "failures", count) : null;
  }

  async function checkFailures(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (trusted.has(addressKey(request.ip))) return;
    const problem = await refuseAfterFailures(request, reply);
    if (problem !== null) throw problem;
  }

  app.decorateRequest("isSignatureValid", false);
  app.decorate("rateLimits", {
    async countFailure(request, reply) {
      const count = await counted(byFailures, request);
      return count === null ? null : writeRateHeaders(request, reply, "failures", count);
    },
    refuseAfterFailures,
  });

  app.addHook("onRequest", (request, reply, done) => {
    if (isOfUnknown(request)) check(byAddress, "address", request, reply).then(() => done(), done);
    else if (isSigned(request)) checkFailures(request, reply).then(() => done(), done);
    else done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (request.isSignatureValid && reply.statusCode < 300) trusted.add(addressKey(request.ip));
    done();
  });
  if (byCredential !== undefined || byCustomer !== undefined) {
    app.addHook("preParsing", async (request, reply) => {
      if (request.customer !== undefined) await check(byCustomer, "customer", request, reply);
      else if (request.credential !== undefined) await check(byCredential, "credential", request, reply);
    });
  }
}

/** Whether a route needs no API credential; not health checks, and not deliveries, whose signature identifies the sender. */
function isOfUnknown({ routeOptions: { config } }: FastifyRequest): boolean {
  if (config.customer !== undefined) return true; // a token is anybody's to send, and costs a signature to look at
  return config.open === true && config.isProbe !== true && config.rawBody !== true;
}

/** Whether the signature of the body identifies the sender, so that the body has to be read first. */
function isSigned({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.open === true && config.rawBody === true;
}

async function check(
  limit: Counter | undefined,
  policy: keyof Rates,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const count = await counted(limit, request);
  const problem = count === null ? null : writeRateHeaders(request, reply, policy, count);
  if (problem !== null) throw problem;
}

async function counted(
  limit: Counter | undefined,
  request: FastifyRequest,
  options?: { increment: boolean },
): Promise<Count | null> {
  const count = await limit?.(request, options);
  return count === undefined || count.isAllowed ? null : count;
}

/** Writes the remaining number of requests into the answer's headers; returns the refusal if none is left. */
function writeRateHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  policy: keyof Rates,
  count: Count,
): Problem | null {
  const { max, remaining, ttlInSeconds, isExceeded } = count;
  reply.header("ratelimit-policy", `"${policy}";q=${max};w=${WINDOW_S}`);
  reply.header("ratelimit", `"${policy}";r=${remaining};t=${ttlInSeconds}`);
  if (!isExceeded) return null;
  if (request.body === undefined && hasBody(request)) reply.header("connection", "close"); // it is not read
  const detail = `expected at most ${max} ${COUNTED[policy]} a minute: try again in ${ttlInSeconds} s`;
  return new Problem("too_many_requests", { faults: [{ detail }], retryAfterS: ttlInSeconds });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

interface Trust {
  has(address: string): boolean;
  add(address: string): void;
}

/** The addresses from which signed deliveries came recently. */
function createTrust(): Trust {
  const untilMs = new Map<string, number>();
  return {
    has: (address) => (untilMs.get(address) ?? 0) > performance.now(),
    add(address) {
      untilMs.delete(address);
      untilMs.set(address, performance.now() + TRUST_MS);
      if (untilMs.size <= COUNTED_MAX) return;
      for (const oldest of untilMs.keys()) return void untilMs.delete(oldest);
    },
  };
}
