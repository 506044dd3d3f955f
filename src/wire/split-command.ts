/** The size limit of a file to import. */
export const UPLOAD_BYTES_MAX = 512 * 1_048_576;
export const UPLOAD_MB_MAX = UPLOAD_BYTES_MAX / 1_048_576;

/** Lines per part, far below the size limit. */
const PART_LINES = 1_000_000;

/** Returns a shell command that splits a CSV file into part-001.csv, part-002.csv and so on, each with the header line. */
export function splitCommand(name: string): string {
  const start = 'if (part) close(part); part = sprintf("part-%03d.csv", ++n); print head > part';
  const program = `NR == 1 { head = $0; next } NR % ${PART_LINES} == 2 { ${start} } { print > part }`;
  return `awk '${program}' '${name.replaceAll("'", "'\\''")}'`;
}
