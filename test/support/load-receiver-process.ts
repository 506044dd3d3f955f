import { openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** Answers 200 to every delivery after recording the uid in it. Sends its parent the port, and ends with it. */
const file = openSync(process.argv[2] ?? "", "a");
process.on("disconnect", () => process.exit(1));
const server = createServer(async (request, response) => {
  try {
    const { uid } = JSON.parse(await text(request));
    writeSync(file, `${uid}\n`);
    response.writeHead(200).end();
  } catch {
    response.destroy(); // its sender was killed during the request
  }
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.(address.port);
});
