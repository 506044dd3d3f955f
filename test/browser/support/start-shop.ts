import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { customerToken } from "../../../packages/client/src/customer-token.ts";
import type { StorefrontKey } from "../../support/customer-token.ts";

/** A shop's own server: one page with the widget, and the address that signs a token for who is signed in. */
export interface Shop {
  readonly url: string;
  /** How often a token was asked for. */
  readonly tokens: () => number;
  /** The next tokens are an hour too old. */
  expireNext(count: number): void;
  close(): Promise<void>;
}

export interface ShopOptions {
  readonly service: string;
  readonly key: StorefrontKey;
}

const HOUR_MS = 3_600_000;

/** `/?customer=7&lang=ja&attributes=...` is a page with the widget, loaded from the service by a page of another origin. */
export async function startShop({ service, key }: ShopOptions): Promise<Shop> {
  let tokens = 0;
  let expired = 0;

  async function token(customerId: string): Promise<string> {
    tokens++;
    const isOld = expired > 0;
    if (isOld) expired--;
    const now = new Date(Date.now() - (isOld ? HOUR_MS : 0));
    return customerToken({ keyId: key.kid, secret: key.secret, customerId, canRedeem: true, now });
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop");
    const customer = searchParams.get("customer");
    if (pathname === "/token") {
      const body = customer === null ? Promise.resolve(null) : token(customer);
      body.then((value) =>
        response.setHeader("content-type", "application/json").end(JSON.stringify({ token: value })),
      );
      return;
    }
    if (pathname !== "/") return void response.writeHead(404).end();
    const source = `/token${customer === null ? "" : `?customer=${customer}`}`;
    // no style element or inline script of the widget: the strictest policy that a shop may have
    const policy = `default-src 'none'; script-src ${service}; connect-src 'self' ${service}; img-src data:; require-trusted-types-for 'script'`;
    response
      .setHeader("content-security-policy", policy)
      .setHeader("content-type", "text/html; charset=utf-8")
      .end(`<!doctype html>
<html lang="${searchParams.get("lang") ?? "en"}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tea shop</title><link rel="icon" href="data:,">
<script type="module" src="${service}/widget.js"></script></head>
<body><main><h1>Sencha</h1>
<pointkeeper-points token-url="${source}" ${searchParams.get("attributes") ?? ""}></pointkeeper-points>
</main></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    tokens: () => tokens,
    expireNext(count) {
      expired = count;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
