import fastJsonStringify from "fast-json-stringify";
import type { FastifySerializerCompiler } from "fastify";
import { oncePerSchema } from "./once-per-schema.ts";

const serializerOf = oncePerSchema((schema: fastJsonStringify.AnySchema & object) => fastJsonStringify(schema));

/** Compiles the serialisers of answers, as the server would by itself, but each schema once in a process. */
export const compileSerializer: FastifySerializerCompiler<fastJsonStringify.AnySchema & object> = ({ schema }) =>
  serializerOf(schema);
