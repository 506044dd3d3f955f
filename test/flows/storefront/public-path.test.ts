import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, reportSettings } from "../../../src/config.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ config: { sandbox: true }, worker: false });
});
afterAll(() => service.stop());

/** The first part of each path that the service takes, by the tree of its routes. */
function firstParts(): string[] {
  const above: string[] = [];
  const paths = service.app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", path = ""] = /^([│ ]*)[├└]── (\S*)/.exec(line) ?? [];
      const depth = indent.length / 4;
      above.length = depth;
      above.push(path);
      return above.join("");
    });
  return [...new Set(paths.map((path) => (path.split("/")[1] ?? "").replace("*", "")))].filter((part) => part !== "");
}

test("PUBLIC_URL may have no path that begins as one of the service's own", () => {
  const parts = firstParts();
  expect(parts).toEqual(expect.arrayContaining(["admin", "api", "ready", "sandbox", "unsubscribe"]));
  const settings = parts.map((part) => reportSettings({ PUBLIC_URL: `https://store.example/${part}/points` }));
  const faults = settings.map(({ fault }, n) => [parts[n], fault?.message.split(":")[0]]);
  expect(faults).toEqual(parts.map((part) => [part, "PUBLIC_URL must not begin with a path of the service's own"]));
});

test.each(["?shop=1", "#points", "//user:password@store.example/points"])("PUBLIC_URL with %s is refused", (part) => {
  const url = part.startsWith("//") ? `https:${part}` : `https://store.example/points${part}`;
  expect(() => readConfig({ PUBLIC_URL: url })).toThrow("PUBLIC_URL must be an address that others begin with");
});
