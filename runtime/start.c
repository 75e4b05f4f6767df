/* Start-up: find out whether this run is traced, map the shared file, and call the program's main when everything is ready. The only
 * thing read from outside is one environment variable, which is removed: programs started by this one are not traced. */
#include "object.h"

#include "contract/module.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((section(TD_RUNTIME_SECTION), used, retain)) static const uint32_t version = TD_VERSION;

static int parse_descriptor(const char *text)
{
	int n = 0;
	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || n > 1 << 20)
			return -1;
		n = n * 10 + (*text - '0');
	}
	return n;
}

/* Takes TANDEM=... out of the environment; returns what it said. */
static const char *take_variable(char **environment)
{
	static const char name[] = TD_ENV "=";
	const char *found = NULL;
	char **to = environment;
	for (char **from = environment; *from; from++) {
		unsigned i = 0;
		while (name[i] && (*from)[i] == name[i])
			i++;
		if (!name[i])
			found = *from + i;
		else
			*to++ = *from;
	}
	*to = NULL;
	return found;
}

static bool is_sound(const struct td_header *h, uint64_t size)
{
	uint64_t nodes_end = h->nodes_off + (uint64_t)h->nodes_max * sizeof(struct td_node);
	uint64_t events_end = h->events_off + (uint64_t)h->events_max * sizeof(struct td_event);
	uint64_t inputs_end = h->inputs_off + (uint64_t)TD_MAX_INPUTS * sizeof(struct td_input);
	if (h->modules_off + (uint64_t)TD_MAX_MODULES * sizeof(struct td_loaded) > h->size || h->modules > TD_MAX_MODULES)
		return false;
	if (h->reports_off + (uint64_t)TD_MAX_REPORTS * sizeof(struct td_report) > h->size)
		return false;
	if (h->foreign_off + (uint64_t)TD_MAX_FOREIGN * sizeof(struct td_foreign) > h->size)
		return false;
	if (h->cover_off + h->cover_max > h->size || h->unit_off > h->size || h->unit_size > h->size - h->unit_off)
		return false;
	uint64_t arrays_end = h->arrays_off + (uint64_t)h->arrays_max * sizeof(struct td_array);
	if (arrays_end > h->size || h->array_bytes_off + h->array_bytes_max > h->size)
		return false;
	return h->magic == TD_MAGIC && h->version == TD_VERSION && h->size <= size && nodes_end <= h->size &&
	       events_end <= h->size && inputs_end <= h->size && h->events_max > 1;
}

static bool attach(int fd)
{
	struct stat st;
	if (fstat(fd, &st) < 0 || st.st_size < (off_t)TD_HEADER_SIZE)
		return false;
	void *map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (map == MAP_FAILED || !is_sound(map, (uint64_t)st.st_size))
		return false;
	close(fd);
	td_state.header = map;
	td_state.nodes = (void *)((char *)map + td_state.header->nodes_off);
	td_state.events = (void *)((char *)map + td_state.header->events_off);
	td_state.inputs = (void *)((char *)map + td_state.header->inputs_off);
	td_state.arrays = (void *)((char *)map + td_state.header->arrays_off);
	td_state.array_bytes = (uint8_t *)map + td_state.header->array_bytes_off;
	td_state.reports = (void *)((char *)map + td_state.header->reports_off);
	td_state.foreign = (void *)((char *)map + td_state.header->foreign_off);
	return true;
}

static __thread bool held __attribute__((tls_model("initial-exec"))); /* the lock, by the thread that forks */

static void before_fork(void)
{
	held = state_hold();
}

/* A forked child runs on, but the trace is its parent's. */
static void detach(void)
{
	if (held)
		state_unlock();
	if (server_is_forking())
		return;
	td_state.live = false;
	__td_force = 0;
	module_trace(false);
}

static void note_fork(void)
{
	static uint32_t forks;
	if (held)
		state_leave();
	if (server_is_forking() || !state_enter())
		return;
	event_add(TD_EV_NOTE, TD_NOTE_FORKED, TD_NO_SITE, 0, ++forks, 0);
	state_leave();
}

void start_watch_forks(void)
{
	static bool done;
	if (done)
		return;
	done = true;
	pthread_atfork(before_fork, note_fork, detach);
}

/* The variables are in the environment already, the files are nobody's business. */
static void skip_to_marks(void)
{
	given_begin();
	given_skip_arguments();
	given_environment(NULL);
	given_skip_files();
}

void start_attach(char **environment)
{
	static bool done;
	if (done)
		return;
	done = true;
	const char *variable = take_variable(environment);
	if (!variable || !attach(parse_descriptor(variable)))
		return;
	struct td_header *h = td_state.header;
	if ((h->flags & (TD_NO_TRACE | TD_SERVER)) == TD_NO_TRACE)
		skip_to_marks();
	if (h->flags & TD_NO_TRACE || !node_init())
		return;
	if (h->nodes == 0)
		h->nodes = 1;
	h->state = TD_STATE_STARTED;
	td_state.live = true;
	__td_force = (h->flags & TD_ALL_BRANCHES ? FORCE_BRANCHES : 0) | (h->flags & TD_SENSITIVE ? FORCE_SITES : 0);
	start_watch_forks();
	object_init();
	segment_add_all(); /* the variables of our own modules are told of later, and are then objects of their own */
	malloc_serve();
	fault_begin();
	leak_begin();
	unset_begin();
}

static bool serves_untraced(void)
{
	uint32_t both = TD_NO_TRACE | TD_SERVER;
	return td_state.header && (td_state.header->flags & both) == both;
}

uint32_t __td_start(uint32_t argc, void *argv, void *environment, void *entry)
{
	int (*program)(int, char **, char **) = (int (*)(int, char **, char **))entry;
	int count = (int)argc;
	char **arguments = argv;
	if (td_state.live) {
		struct td_header *h = td_state.header;
		stack_begin(argv);
		td_state.site_room = module_sites();
		if (h->site_budget)
			td_state.site_counts = state_map((uint64_t)td_state.site_room * sizeof *td_state.site_counts + 1);
		if (unit_is_wanted())
			unit_prepare();
		if (h->flags & TD_CALLS)
			profile_prepare();
		if (h->flags & TD_SERVER)
			server_loop();
		given_begin();
		if (h->flags & TD_SERVER)
			arguments = given_arguments(&count);
		else
			given_skip_arguments();
		char **variables = given_environment(environ);
		if (variables)
			environment = environ = argument_adopt(variables, TD_OBJECT_ENVIRONMENT);
		arguments = argument_adopt(arguments, TD_OBJECT_ARGUMENT);
		h->sites = module_sites();
		input_begin(count, arguments, environ);
		h->state = TD_STATE_MAIN;
	} else if (serves_untraced()) {
		server_loop();
		given_begin();
		arguments = given_arguments(&count);
		environment = environ = given_environment(environ);
		given_skip_files();
	} else if (!td_state.header) {
		suite_join();
	}
	int result = 0;
	if (td_state.live && unit_is_wanted() && !unit_is_main())
		unit_run();
	else
		result = program(count, arguments, environment);
	td_state.returned = (uint64_t)__builtin_frame_address(0);
	if (td_state.live)
		td_state.header->state = TD_STATE_EXITED;
	return (uint32_t)result;
}
