/** `--name N` of the command line; `otherwise` when it is left out. Throws when N is not a number above zero. */
export const numberOption = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  if (at === -1) return otherwise;
  const given = Number(process.argv[at + 1]);
  if (!(given > 0)) throw new Error(`--${name} needs a number, such as --${name} ${otherwise}`);
  return given;
};
