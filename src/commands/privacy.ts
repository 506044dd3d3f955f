import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { redactAfterEarlier } from "../intake/redact-after-earlier.ts";
import { redactShop } from "../intake/redact-shop.ts";
import { closeRequest, selectOpenRequests } from "../privacy/privacy-queries.ts";
import { streamPerson } from "../privacy/stream-person.ts";
import { NotFoundError } from "../start/failure-line.ts";
import type { Given } from "./command-line.ts";
import { countText, jsonTime, print, printLine, printPieces, type Shown, tableLines } from "./output.ts";
import { withDeps } from "./with-deps.ts";

const BY = "command line";

/** `pointkeeper privacy ...`: requests of platforms about personal data, which a person answers or confirms. */
export async function privacy(given: Given): Promise<number> {
  const {
    action,
    operands: [subject = ""],
    options,
  } = given;
  const confirm = options.get("confirm") ?? "";
  switch (action) {
    case "requests":
      print(given, await withDeps(listRequests));
      return 0;
    case "data":
      await withDeps(async (deps) => printPieces(await streamPerson(deps, subject)));
      printLine("");
      return 0;
    case "answered":
      print(given, await withDeps((deps) => answered(deps, subject)));
      return 0;
    case "redact":
      if (confirm !== subject)
        throw new UsageError("Give the id twice: pointkeeper privacy redact <id> --confirm <id>");
      await withDeps((deps) => redactAfterEarlier(deps, { customerId: subject, appReference: "pointkeeper" }));
      print(given, { json: { erased: subject }, text: [`Customer ${subject} has been erased.`] });
      return 0;
    case "redact-shop":
      print(given, await withDeps((deps) => redactConfirmed(deps, confirm)));
      return 0;
    default:
      throw new Error(`no work for ${action}`);
  }
}

async function listRequests(deps: Deps): Promise<Shown> {
  const open = await selectOpenRequests(deps.db);
  const rows = open.map(({ kind, reference, storefrontId, orderIds, requestedAt }) => {
    const orders = orderIds.length === 0 ? "" : `, orders ${orderIds.join(" ")}`;
    const what = kind === "shop_redaction" ? "erase the shop" : `data of customer ${storefrontId}${orders}`;
    return [requestedAt.toString(), reference, what];
  });
  return {
    json: {
      requests: open.map(({ kind, reference, storefrontId, orderIds, requestedAt }) => ({
        ...{ kind, reference },
        customer_id: storefrontId,
        order_ids: orderIds,
        requested_at: jsonTime(requestedAt),
      })),
    },
    text: rows.length === 0 ? ["No requests are open."] : tableLines(["requested", "request", "what"], rows),
  };
}

async function answered(deps: Deps, reference: string): Promise<Shown> {
  const done = { at: deps.clock.now(), by: BY };
  if (!(await closeRequest(deps.db, { kind: "customer_data", reference }, done)))
    throw new NotFoundError(`There is no open request ${reference}.`);
  return { json: { answered: reference }, text: [`Request ${reference} is answered.`] };
}

async function redactConfirmed(deps: Deps, reference: string): Promise<Shown> {
  const open = await selectOpenRequests(deps.db);
  if (!open.some((request) => request.kind === "shop_redaction" && request.reference === reference))
    throw new NotFoundError(`There is no request to erase the shop ${reference}: see pointkeeper privacy requests.`);
  const count = await redactShop(deps, { reference, by: BY });
  return { json: { erased: count }, text: [`Erased ${countText(count, "customer")}.`] };
}
