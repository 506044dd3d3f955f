import { createServer } from "node:http";

// Answers 200 to every delivery; tells how many came when its input ends.
let arrived = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    arrived++;
    response.writeHead(200).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null)
    process.stdout.write(`running at http://127.0.0.1:${address.port}\n`);
});
process.once("SIGTERM", () => {
  process.stdout.write(`${arrived} deliveries came\n`);
  process.exit(0);
});
