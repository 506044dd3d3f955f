/**
 * Keeps what was made of a schema as long as the schema lives: both spellings of a route share it, and every server of the process.
 * `make` is pure, and schemas are never changed.
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
