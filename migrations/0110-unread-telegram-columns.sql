-- Written since the first version, and read by nothing; a setup waits for a number exactly while it has a prompt_message_id.
alter table telegram_service drop column last_update_at;
alter table telegram_chats drop column trouble_at;
alter table telegram_images drop column failure;
alter table telegram_setups drop column step;
