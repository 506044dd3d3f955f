import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import type { AddressInfo } from "node:net";

/** A DNS server on loopback that answers every A query with `addresses`, which may change at any time. */
export interface TestDns {
  addresses: string[];
  /** The queried names, of A queries only. */
  readonly asked: string[];
  /** Returns every address of a host by querying this server. */
  resolve(host: string): Promise<string[]>;
  close(): void;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;

export async function startDns(addresses: string[]): Promise<TestDns> {
  const socket = createSocket("udp4");
  socket.on("message", (question, from) => {
    const { name, type, end } = readQuestion(question);
    const isA = type === TYPE_A;
    if (isA) dns.asked.push(name);
    socket.send(answerTo(question.subarray(0, end), isA ? dns.addresses : []), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port }: AddressInfo = socket.address();
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const dns: TestDns = {
    addresses,
    asked: [],
    resolve: (host) => resolver.resolve4(host),
    close: () => socket.close(),
  };
  return dns;
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** The query, followed by an A record with a lifetime of 0 for each address. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2); // flags of a response without an error
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
