-- Any admin of the group may answer a setup's questions, as any of them may press its buttons.
alter table telegram_setups drop column started_by;
