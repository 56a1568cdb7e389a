/** What a refusal is about: the bytes themselves, what they ask for, or who signed them. */
type Subject = 'bytes' | 'input' | 'signature';

/** A transaction that no validator takes: nothing happens and no gas is paid. The message is in a node's words. */
export class TransactionRefused extends Error {
  override name = 'TransactionRefused';
  readonly subject: Subject;
  constructor(message: string, subject: Subject = 'input') {
    super(message);
    this.subject = subject;
  }
}
