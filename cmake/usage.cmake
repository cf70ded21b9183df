# stowage_install_usage(TARGET): has the command say how it is used, and installs its manual page and its completion for bash, zsh
# and fish. Where the command cannot run on the building machine, they are left out.
function(stowage_install_usage target)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
  endif()
  get_target_property(name ${target} OUTPUT_NAME)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/usage)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/${name}.1 ${folder}/${name} ${folder}/_${name} ${folder}/${name}.fish
    COMMAND ${target} help --man > ${folder}/${name}.1
    COMMAND ${target} completion bash > ${folder}/${name}
    COMMAND ${target} completion zsh > ${folder}/_${name}
    COMMAND ${target} completion fish > ${folder}/${name}.fish
    DEPENDS ${target} COMMENT "Writing the manual page and the completion of ${name}" VERBATIM)
  add_custom_target(${target}_usage ALL DEPENDS ${folder}/${name}.1)
  install(FILES ${folder}/${name}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${folder}/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${folder}/_${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${folder}/${name}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()
