-- Who handles an update, and when again, is a job's (docs/decisions/0030): a row says what is to be handled and how often it was tried.
alter table telegram_inbox drop column claimed_by, drop column claimed_until;
