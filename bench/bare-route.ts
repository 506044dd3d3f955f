import Fastify from "fastify";
import { EMPTY_ANSWER } from "./empty-route.ts";

// A Fastify server that parses a JSON body and answers as much as the creation of an allotment does: what everything else is compared with.
const app = Fastify();
app.post("/bare", async (_request, reply) =>
  reply.header("content-type", "application/json; charset=utf-8").send(EMPTY_ANSWER),
);
const url = await app.listen({ port: 0, host: "127.0.0.1" });
process.once("SIGTERM", () => process.exit(0));
process.stdout.write(`running at ${url}\n`);
