import { createServer, type Socket } from "node:net";

// Answers 200 to every delivery, over raw sockets so that it takes little of the machine; `GET /count` answers how many came, and
// the end says it too.
const HEAD_END = Buffer.from("\r\n\r\n");
const ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
let arrived = 0;

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = requestEnd(rest); end !== undefined; end = requestEnd(rest)) {
      socket.write(answerTo(rest), "latin1");
      rest = rest.subarray(end);
    }
  });
}

/** Where the first request in the bytes ends; undefined: it is not whole yet. */
function requestEnd(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.toString("latin1", 0, headEnd);
  const end = headEnd + HEAD_END.length + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return bytes.length < end ? undefined : end;
}

function answerTo(request: Buffer): string {
  if (request.toString("latin1", 0, 4) !== "GET ") {
    arrived++;
    return ANSWER;
  }
  const text = String(arrived);
  return `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

const server = createServer(serve);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null)
    process.stdout.write(`running at http://127.0.0.1:${address.port}\n`);
});
process.once("SIGTERM", () => {
  process.stdout.write(`${arrived} deliveries came\n`);
  process.exit(0);
});
