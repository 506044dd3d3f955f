import { Problem } from "../problems.ts";
import { NotFoundError } from "../start/failure-line.ts";

/** For `catch`: a command says what does not exist, where a verb only throws `not_found`. */
export function explainNotFound(says: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Problem && error.code === "not_found") throw new NotFoundError(says);
    throw error;
  };
}
