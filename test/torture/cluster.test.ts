import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { makeFolder } from "../support/service-process.ts";
import { startNode } from "./cluster.ts";

test("a node whose port another program has taken meanwhile starts on another", async () => {
  const folder = await makeFolder();
  const taken = await freePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(taken, "127.0.0.1", resolve));
  const said: string[] = [];
  let port = taken;
  try {
    const node = await startNode({
      env: () => ({ POINTKEEPER_DATA_DIR: folder.path, PORT: String(port), LOG_LEVEL: "error" }),
      args: [],
      note: (line) => said.push(line),
      move: async () => {
        port = await freePort();
      },
    });
    expect(node.url).toBe(`http://127.0.0.1:${port}`);
    expect([port === taken, said.length]).toEqual([false, 1]);
    await node.stop();
  } finally {
    other.close();
    await folder.remove();
  }
});
