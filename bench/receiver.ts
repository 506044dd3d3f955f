import { createServer, type Socket } from "node:net";

// Answers every delivery with 200 over raw sockets, without decoding it, so that it uses little of the machine. `GET /count` returns the number of
// deliveries, which is also printed at the end.
const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = Buffer.from("\r\ncontent-length: ");
const ANSWER = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
const GET = "G".charCodeAt(0);
const [ZERO, NINE] = [0x30, 0x39];
let arrived = 0;

function serve(socket: Socket): void {
  let rest: Buffer | undefined;
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = requestEnd(bytes, at); end !== undefined; end = requestEnd(bytes, at)) {
      socket.write(answerTo(bytes[at]));
      at = end;
    }
    rest = at === bytes.length ? undefined : bytes.subarray(at);
  });
}

/** Returns where the request that begins at `from` ends; undefined: it is not complete yet. */
function requestEnd(bytes: Buffer, from: number): number | undefined {
  const headEnd = from === bytes.length ? -1 : bytes.indexOf(HEAD_END, from);
  if (headEnd < 0) return undefined;
  const end = headEnd + HEAD_END.length + lengthOf(bytes, bytes.indexOf(LENGTH, from), headEnd);
  return bytes.length < end ? undefined : end;
}

/** Returns the number after the header's name at `at`, if it is within the head. */
function lengthOf(bytes: Buffer, at: number, headEnd: number): number {
  let length = 0;
  if (at < 0 || at > headEnd) return length;
  for (let i = at + LENGTH.length; i < headEnd; i++) {
    const digit = bytes[i] ?? 0;
    if (digit < ZERO || digit > NINE) break;
    length = length * 10 + digit - ZERO;
  }
  return length;
}

function answerTo(first: number | undefined): Buffer {
  if (first !== GET) {
    arrived++;
    return ANSWER;
  }
  const text = String(arrived);
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
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
