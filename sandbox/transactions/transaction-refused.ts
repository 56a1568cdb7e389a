/** What was refused: the bytes themselves, their content, or the signatures. */
type Subject = 'bytes' | 'input' | 'signature';

/** A transaction that validators reject: nothing happens and no gas is paid. The message is a node's error text. */
export class TransactionRefused extends Error {
  override name = 'TransactionRefused';
  readonly subject: Subject;
  constructor(message: string, subject: Subject = 'input') {
    super(message);
    this.subject = subject;
  }
}
