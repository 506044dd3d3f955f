/**
 * Returns the `select` that turns array parameters into rows, one array per column, each with its name and type (`bucket smallint` is
 * `$1`). A null instead of an array is a column of nulls. In a `from` list each array would be stored before it is read, which takes twice
 * as long.
 */
export function unnested(columns: readonly `${string} ${string}`[]): string {
  const selected = columns.map((column, i) => {
    const [name, type] = column.split(" ");
    return `unnest($${i + 1}::${type}[]) as ${name}`;
  });
  return `select ${selected.join(", ")}`;
}
