# The unit tests, one process per file. With BERTH_SANITIZE under ASan and UBSan: any finding ends the process. QEMU's
# emulation of other processors has no room for their shadow memory.
enable_testing()
set(SANITIZERS)
set(THREAD_SANITIZER)
set(TEST_OPTIONS)
if(BERTH_SANITIZE)
  set(SANITIZERS -fsanitize=address,undefined -fno-sanitize-recover=all)
  set(THREAD_SANITIZER -fsanitize=thread)
  set(TEST_OPTIONS ${SANITIZERS} -g -O1 -fno-omit-frame-pointer)
endif()
target_compile_options(berth-base PRIVATE ${TEST_OPTIONS})

# LWJGL's name of the processor.
set(HWLOC_PROCESSOR ${CMAKE_SYSTEM_PROCESSOR})
string(REPLACE x86_64 x64 HWLOC_PROCESSOR ${HWLOC_PROCESSOR})
string(REPLACE aarch64 arm64 HWLOC_PROCESSOR ${HWLOC_PROCESSOR})

# The time-out is for a test that hangs: domains unpacks 50,000 files, and took over two minutes on a busy machine.
foreach(name agent_options assignment birth_memory cpu_bind crowding domains foreign_text heap_fit heap_stripes hostile index_set
    jvm_logs launch_words lease ledger ledger_move ledger_view memory_bind newborn numa_option parsers_fuzz plan_parser process_bind
    public_files reexec seccomp_probe slot_use socket_cpu thread_name_pattern thread_rule thread_rules vm_structs
    whole_domain)
  add_executable(test-${name} ${TEST}/${name}_test.c $<TARGET_OBJECTS:berth-base>)
  target_include_directories(test-${name} PRIVATE ${MAIN})
  target_compile_options(test-${name} PRIVATE ${TEST_OPTIONS})
  target_link_options(test-${name} PRIVATE ${SANITIZERS})
  add_test(NAME ${name} COMMAND test-${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
endforeach()

# Of the library alone. hwloc's is the copy that the build has unpacked, of this processor.
file(GLOB HWLOC_LIBRARY ${CMAKE_SOURCE_DIR}/target/hwloc/linux/${HWLOC_PROCESSOR}/org/lwjgl/hwloc/libhwloc.so)
add_executable(test-hwloc_xml ${TEST}/hwloc_xml_test.c ${MAIN}/hwloc_xml.c $<TARGET_OBJECTS:berth-base>)
target_include_directories(test-hwloc_xml PRIVATE ${MAIN})
target_compile_options(test-hwloc_xml PRIVATE ${TEST_OPTIONS})
target_link_options(test-hwloc_xml PRIVATE ${SANITIZERS})
target_link_libraries(test-hwloc_xml PRIVATE ${CMAKE_DL_LIBS})
add_test(NAME hwloc_xml COMMAND test-hwloc_xml ${HWLOC_LIBRARY})
set_tests_properties(hwloc_xml PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)

# Times, by hand: no test.
add_executable(test-heap_costs ${TEST}/heap_costs.c $<TARGET_OBJECTS:berth-base>)
target_include_directories(test-heap_costs PRIVATE ${MAIN})
target_link_options(test-heap_costs PRIVATE ${SANITIZERS})

# BERTH_HOSTILE_SECONDS lets it run for longer, up to an hour.
set_tests_properties(hostile PROPERTIES TIMEOUT 4000)

# Of berth-exec, and not of the library.
foreach(name counters heap_option keeper usage_recorder)
  add_executable(test-${name} ${TEST}/${name}_test.c ${MAIN}/counters.c ${MAIN}/heap_option.c ${MAIN}/keeper.c
    ${MAIN}/usage_recorder.c
    $<TARGET_OBJECTS:berth-base>)
  target_include_directories(test-${name} PRIVATE ${MAIN})
  target_compile_options(test-${name} PRIVATE ${TEST_OPTIONS})
  target_link_options(test-${name} PRIVATE ${SANITIZERS})
  add_test(NAME ${name} COMMAND test-${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
endforeach()

foreach(name birth_memory domains heap_stripes slot_use)
  target_compile_definitions(test-${name} PRIVATE
    BERTH_MACHINES="${CMAKE_SOURCE_DIR}/../../testing/machines/src/main/resources/org/berth/machines/linux")
endforeach()

# The agent's threads without memory.
file(GLOB AGENT_SOURCES ${MAIN}/agent*.c)
list(REMOVE_ITEM AGENT_SOURCES ${MAIN}/agent_options.c) # berth-exec reads them, too
add_executable(test-agent_starved ${TEST}/agent_starved_test.c ${AGENT_SOURCES} $<TARGET_OBJECTS:berth-base>)
target_include_directories(test-agent_starved PRIVATE ${MAIN})
target_compile_options(test-agent_starved PRIVATE ${TEST_OPTIONS})
target_link_options(test-agent_starved PRIVATE ${SANITIZERS} -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
add_test(NAME agent_starved COMMAND test-agent_starved)
set_tests_properties(agent_starved PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)

# The agent's threads under ThreadSanitizer, which does not go together with the address sanitizer. It needs
# addresses where Linux has them without randomisation (setarch -R), which a container may refuse.
get_target_property(BASE_SOURCES berth-base SOURCES)
add_executable(test-agent_race ${TEST}/agent_race_test.c ${AGENT_SOURCES} ${BASE_SOURCES})
target_include_directories(test-agent_race PRIVATE ${MAIN})
target_compile_options(test-agent_race PRIVATE ${THREAD_SANITIZER} -g -O1)
target_link_options(test-agent_race PRIVATE ${THREAD_SANITIZER})
if(NOT BERTH_SANITIZE)
  add_test(NAME agent_race COMMAND test-agent_race)
  set_tests_properties(agent_race PROPERTIES TIMEOUT 900)
  if(CMAKE_CROSSCOMPILING)
    get_property(names DIRECTORY PROPERTY TESTS)
    set_property(TEST ${names} PROPERTY ENVIRONMENT BERTH_TEST_EMULATED=yes)
  endif()
  return()
endif()
add_test(NAME agent_race COMMAND sh -c
  "if setarch -R true 2>/dev/null; then exec setarch -R $<TARGET_FILE:test-agent_race>; else exec $<TARGET_FILE:test-agent_race>; fi")
set_tests_properties(agent_race PROPERTIES TIMEOUT 900 ENVIRONMENT "TSAN_OPTIONS=halt_on_error=0 exitcode=66")
