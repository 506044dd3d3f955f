import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Problem } from "../../../src/problems.ts";
import { checkCallback } from "../../../src/webhooks/callbacks/check-callback.ts";
import { startDns, type TestDns } from "../../support/dns-server.ts";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWebhookFlow, testEvent, type WebhookFlow } from "../../support/webhook-flow.ts";

const PUBLIC_ADDRESS = "93.184.216.34";

let flow: WebhookFlow;
let receiver: TestReceiver;
let dns: TestDns;

beforeAll(async () => {
  flow = await openWebhookFlow({ allowPrivateCallbacks: false });
});
beforeEach(async () => {
  receiver = await startReceiver();
  dns = await startDns([PUBLIC_ADDRESS]);
});
afterEach(async () => {
  await flow.clear();
  await receiver.close();
  dns.close();
});
afterAll(() => flow.close());

const refusalOf = (callbackUrl: string) =>
  checkCallback(flow.deps, callbackUrl, { resolver: dns.resolve }).then(
    () => null,
    (error: unknown) => error instanceof Problem && error.faults[0]?.detail,
  );

/** Subscribes, publishes, and answers the one attempt's failure. */
async function attemptAt(callbackUrl: string): Promise<string | null> {
  await flow.subscribe("point_balance/update", callbackUrl);
  flow.startWorker({ resolver: dns.resolve });
  await flow.publish([testEvent()]);
  await waitUntil(async () => (await flow.attempts()).length > 0);
  const [attempt] = await flow.attempts();
  return attempt?.failure ?? null;
}

describe("at creation", () => {
  test("a name at a public address passes", async () => {
    expect(await refusalOf("https://hooks.example.test/points")).toBeNull();
    expect(dns.asked).toEqual(["hooks.example.test"]);
  });

  test.each([["127.0.0.1"], ["10.0.0.8"], ["169.254.169.254"], ["100.100.100.200"], ["0.0.0.0"]])(
    "a name at %s is refused",
    async (address) => {
      dns.addresses = [address];
      expect(await refusalOf("https://hooks.example.test/points")).toBe("expected a public address");
    },
  );

  test("a name with one bad address among good ones is refused", async () => {
    dns.addresses = [PUBLIC_ADDRESS, "192.168.1.4"];
    expect(await refusalOf("https://hooks.example.test/points")).toBe("expected a public address");
  });

  test("a name that nobody knows is refused", async () => {
    dns.addresses = [];
    expect(await refusalOf("https://hooks.example.test/points")).toBe("expected a host that can be found");
  });

  test.each([["https://93.184.216.34:22/"], ["https://hooks.example.test:25/points"], ["https://93.184.216.34:1023/"]])(
    "%s: ports of other services are refused without asking",
    async (url) => {
      expect(await refusalOf(url)).toBe(
        "expected port 80, 443 or one from 1024: POINTKEEPER_CALLBACK_PORTS allows others",
      );
      expect(dns.asked).toEqual([]);
    },
  );

  test("80, 443 and those from 1024 pass, and below them what the setting names", async () => {
    for (const port of ["80", "443", "1024", "8443"])
      expect(await refusalOf(`https://93.184.216.34:${port}/`), port).toBeNull();
    const deps = { config: { ...flow.deps.config, callbackPorts: [25] } };
    await expect(checkCallback(deps, "https://93.184.216.34:25/")).resolves.toBeUndefined();
    await expect(checkCallback(deps, "https://93.184.216.34:22/")).rejects.toThrow("expected port");
  });

  test("an address that is not public, and http, are refused without asking", async () => {
    expect(await refusalOf(`https://127.0.0.1:${receiver.port}/`)).toBe("expected a public address");
    expect(await refusalOf("http://hooks.example.test/")).toBe(
      "expected an https URL: POINTKEEPER_ALLOW_PRIVATE_CALLBACKS=1 allows http",
    );
    expect(dns.asked).toEqual([]);
  });
});

describe("at connection", () => {
  test("a name that has moved to a private address since is not connected to, and the address is not told", async () => {
    const url = `https://hooks.example.test:${receiver.port}/points`;
    expect(await refusalOf(url)).toBeNull();
    dns.addresses = ["127.0.0.1"];
    expect(await attemptAt(url)).toBe("expected a public address");
    expect(receiver.connections).toBe(0);
  });

  test("a private address is not connected to, however it came to be subscribed", async () => {
    expect(await attemptAt(`https://127.0.0.1:${receiver.port}/`)).toBe("expected a public address");
    expect(receiver.connections).toBe(0);
  });

  test("a port of another service is not connected to, however it came to be subscribed", async () => {
    expect(await attemptAt("https://hooks.example.test:22/")).toContain("expected port 80, 443 or one from 1024");
    expect(dns.asked).toEqual([]);
  });

  test("the address that was looked up is the one connected to, where private callbacks are allowed", async () => {
    dns.addresses = ["127.0.0.1"];
    await flow.subscribe("point_balance/update", `http://hooks.example.test:${receiver.port}/points`);
    flow.startWorker({ resolver: dns.resolve }, { allowPrivateCallbacks: true });
    await flow.publish([testEvent()]);
    await waitUntil(() => receiver.arrivals.length === 1);
    expect(receiver.arrivals[0]?.headers.host).toBe(`hooks.example.test:${receiver.port}`);
    expect(dns.asked).toEqual(["hooks.example.test"]);
  });
});
