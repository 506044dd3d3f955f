import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { customerToken } from "../../packages/client/src/customer-token.ts";
import { DemoError } from "../demo-error.ts";
import { CATALOGUE } from "../season/catalogue.ts";
import type { DemoService } from "../start-service.ts";
import { SHOP_SCRIPT, shopPage } from "./page.ts";

export interface DemoShop {
  readonly url: string;
}

const COOKIE = "customer";
const madeKey = Type.Object({ key_id: Type.String(), secret: Type.String() });

type Key = { readonly keyId: string; readonly secret: string };

/**
 * Starts the made-up shop's server, on another origin than the service. Its pages contain the widget, and it signs the tokens of the signed-in
 * customer with a storefront key that never leaves it. Anybody may sign in as anybody: it is a demo. Throws DemoError.
 */
export async function startShop(
  service: DemoService,
  customerIds: readonly string[],
  onEnd: (stop: () => Promise<unknown>) => void,
): Promise<DemoShop> {
  const made = await run(service, ["storefront", "create-key", "--name", "demo shop", "--json"]);
  const key: unknown = JSON.parse(made);
  if (!Value.Check(madeKey, key)) throw new DemoError(`No storefront key was made:\n${made}`);
  const answer = answerOf({ service: service.url, key: { keyId: key.key_id, secret: key.secret }, customerIds });
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const url = await new Promise<string>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`);
    });
  });
  onEnd(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  await run(service, ["storefront", "allow-origin", url]);
  return { url };
}

async function run(service: DemoService, args: readonly string[]): Promise<string> {
  const { code, output } = await service.command(args);
  if (code !== 0) throw new DemoError(`pointkeeper ${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}

interface ShopParts {
  readonly service: string;
  readonly key: Key;
  readonly customerIds: readonly string[];
}

function answerOf(parts: ShopParts) {
  const { key, customerIds } = parts;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop");
    const customerId = customerOf(request, customerIds);
    response.setHeader("cache-control", "no-store");
    if (pathname === "/points-token") {
      const token = customerId === null ? null : await customerToken({ ...key, customerId, canRedeem: true });
      response.setHeader("content-type", "application/json").end(JSON.stringify({ token }));
    } else if (pathname === "/shop.js") {
      response.setHeader("content-type", "text/javascript; charset=utf-8").end(SHOP_SCRIPT);
    } else if (pathname === "/sign-in") {
      const wanted = customerIds.find((id) => id === searchParams.get("customer"));
      const cookie = `${COOKIE}=${wanted ?? ""}; HttpOnly; SameSite=Lax; Path=/`;
      response.writeHead(303, { location: "/", "set-cookie": cookie }).end();
    } else if (pathname === "/") {
      response.setHeader("content-type", "text/html; charset=utf-8").end(productPage(parts, searchParams, customerId));
    } else {
      response.writeHead(404).end();
    }
  };
}

function productPage({ service, customerIds }: ShopParts, asked: URLSearchParams, customerId: string | null): string {
  const product = CATALOGUE.find(({ id }) => id === asked.get("product")) ?? CATALOGUE[0];
  if (product === undefined) throw new Error("the shop sells nothing");
  const language = asked.get("lang") === "ja" ? "ja" : "en";
  return shopPage({ service, product, language, customerId, customerIds });
}

/** The signed-in customer, by the shop's own cookie; null for a customer whom the shop does not know. */
function customerOf({ headers }: IncomingMessage, customerIds: readonly string[]): string | null {
  const named = new RegExp(`(?:^|; )${COOKIE}=([^;]*)`).exec(headers.cookie ?? "")?.[1];
  return customerIds.find((id) => id === named) ?? null;
}
