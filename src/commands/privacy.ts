import { once } from "node:events";
import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { redactCustomer } from "../intake/redact-customer.ts";
import { redactShop } from "../intake/redact-shop.ts";
import { closeRequest, selectOpenRequests } from "../privacy/privacy-queries.ts";
import { streamPerson } from "../privacy/stream-person.ts";
import type { Given } from "./command-line.ts";
import { withDeps } from "./with-deps.ts";

const BY = "command line";

/** `pointkeeper privacy ...`: requests of platforms about personal data, which a person answers or confirms. */
export async function privacy({ action, operands: [subject = ""], options }: Given): Promise<number> {
  const confirm = options.get("confirm") ?? "";
  switch (action) {
    case "requests":
      return withDeps(listRequests);
    case "data":
      return withDeps((deps) => printData(deps, subject));
    case "answered":
      return withDeps((deps) => answered(deps, subject));
    case "redact":
      if (confirm !== subject)
        throw new UsageError("Give the id twice: pointkeeper privacy redact <id> --confirm <id>");
      return withDeps(async (deps) => {
        await deps.db.tx((tx) => redactCustomer(tx, deps, { customerId: subject, appReference: "pointkeeper" }));
        return say(`Customer ${subject} has been erased.`);
      });
    case "redact-shop":
      return withDeps((deps) => redactConfirmed(deps, confirm));
    default:
      throw new Error(`no work for ${action}`);
  }
}

function say(line: string): number {
  process.stdout.write(`${line}\n`);
  return 0;
}

async function listRequests(deps: Deps): Promise<number> {
  const open = await selectOpenRequests(deps.db);
  for (const { kind, reference, storefrontId, orderIds, requestedAt } of open) {
    const orders = orderIds.length === 0 ? "" : `, orders ${orderIds.join(" ")}`;
    const what = kind === "shop_redaction" ? "erase the shop" : `data of customer ${storefrontId}${orders}`;
    say(`${requestedAt.toString()}  ${reference}  ${what}`);
  }
  return open.length === 0 ? say("No requests are open.") : 0;
}

async function printData(deps: Deps, named: string): Promise<number> {
  for await (const piece of await streamPerson(deps, named)) {
    if (!process.stdout.write(piece)) await once(process.stdout, "drain");
  }
  return say("");
}

async function answered(deps: Deps, reference: string): Promise<number> {
  const done = { at: deps.clock.now(), by: BY };
  if (await closeRequest(deps.db, { kind: "customer_data", reference }, done))
    return say(`Request ${reference} is answered.`);
  throw new ConfigError(`There is no open request ${reference}.`);
}

async function redactConfirmed(deps: Deps, reference: string): Promise<number> {
  const open = await selectOpenRequests(deps.db);
  if (!open.some((request) => request.kind === "shop_redaction" && request.reference === reference))
    throw new ConfigError(`There is no request to erase the shop ${reference}: see pointkeeper privacy requests.`);
  return say(`${await redactShop(deps, { reference, by: BY })} customers have been erased.`);
}
