/** The error for a file whose import is being undone. */
export function undoInProgress(moveUid: string): string {
  return `The import of this file is being undone: nothing was changed. pointkeeper import --undo ${moveUid} waits until that is done; then run this command again.`;
}
