# cJSON before 1.5.2 (CHANGELOG: "Fix a reading buffer overflow in parse_string"): what is behind a backslash is stepped over, also where the text ends there, and looked at before it is asked whether it belongs to the text.
#
# Both are as they were. Fails: cJSON_Parse of "\ (two characters)

/^static cJSON_bool parse_string/,/^}/ {
	/if ((size_t)(input_end + 1 - input_buffer->content) >= input_buffer->length)/,/}/d
	s/while (((size_t)(input_end - input_buffer->content) < input_buffer->length) && (\*input_end != '\\"'))/while ((*input_end != '\\"') \&\& ((size_t)(input_end - input_buffer->content) < input_buffer->length))/
}
