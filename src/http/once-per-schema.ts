/**
 * Caches the result of `make` for each schema as long as the schema lives: both spellings of a route, and all servers of the process, share
 * it. `make` must be pure, and schemas must never be changed.
 */
export function oncePerSchema<Schema extends object, Made>(make: (schema: Schema) => Made): (schema: Schema) => Made {
  const made = new WeakMap<Schema, { readonly of: Made }>();
  return (schema) => {
    const known = made.get(schema);
    if (known !== undefined) return known.of;
    const fresh = make(schema);
    made.set(schema, { of: fresh });
    return fresh;
  };
}

/** Delays `make` until the function that it returns is called for the first time: most routes are never called in the life of a short process. */
export function onFirstCall<Given, Result>(make: () => (given: Given) => Result): (given: Given) => Result {
  let made: ((given: Given) => Result) | undefined;
  return (given) => {
    made ??= make();
    return made(given);
  };
}
