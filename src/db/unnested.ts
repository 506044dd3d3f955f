/**
 * The `select` that makes rows of array parameters, one a column, each with its name and type (`bucket smallint` is `$1`). A null for
 * an array is a column of nulls. In a `from` list the same arrays would each be stored before they are read, which takes twice as long.
 */
export function unnested(columns: readonly `${string} ${string}`[]): string {
  const selected = columns.map((column, i) => {
    const [name, type] = column.split(" ");
    return `unnest($${i + 1}::${type}[]) as ${name}`;
  });
  return `select ${selected.join(", ")}`;
}
